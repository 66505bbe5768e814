-- What a version that knows images says about the page with one.
UPDATE chunks SET has_image = false WHERE source_url = 'https://docs.example.com/guide/pictures';
UPDATE chunks SET has_image = true,
	image_context_text = 'The screen with three panes',
	image_refs_json = '[{"url": "https://docs.example.com/img/screen.png", "alt": "The screen with three panes", "title": null, "caption": "Figure 1"}]'
WHERE id IN ('02bf0cdd-e3dc-4494-84ad-66329d498bbf', 'ae83f5d9-11f2-484d-a59c-396b667db890');
