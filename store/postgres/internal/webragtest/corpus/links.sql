-- Links of the pages: to pages of the corpus, to pages that are in none, to the page
-- itself, to an address that only differs by its slash or its fragment.
INSERT INTO link_candidates (id, source_document_id, source_url, target_url, title, description, discovered_at, enriched_at, depth) VALUES
('eb921de6-c997-4515-921b-7c0794f46d08', '566bf9d7-c55a-45f8-91a6-e55e9b9b1325', 'https://docs.example.com/guide/', 'https://docs.example.com/guide/windows', 'Kite on Windows', NULL, '2024-06-11T08:30:01Z', '2024-06-11T08:31:00Z', 0),
('8db1cec0-d7a2-45ab-92f0-72825bddde76', '566bf9d7-c55a-45f8-91a6-e55e9b9b1325', 'https://docs.example.com/guide/', 'https://docs.example.com/guide/shell', 'Kite in a shell', 'Scripts with Kite', '2024-06-11T08:30:02Z', '2024-06-11T08:31:00Z', 0),
('4f43b8ae-9c45-41a0-b340-2c21a34202d8', '566bf9d7-c55a-45f8-91a6-e55e9b9b1325', 'https://docs.example.com/guide/', 'https://docs.example.com/guide/pictures', NULL, NULL, '2024-06-11T08:30:03Z', NULL, 0),
('911191a9-a573-4623-92ac-a29f0297efbb', '566bf9d7-c55a-45f8-91a6-e55e9b9b1325', 'https://docs.example.com/guide/', 'https://docs.example.com/guide/missing', NULL, NULL, '2024-06-11T08:30:04Z', NULL, 0),
('ef5e4cb2-dde3-4ed2-9232-45bc1eb1f373', '566bf9d7-c55a-45f8-91a6-e55e9b9b1325', 'https://docs.example.com/guide/', 'https://elsewhere.example/kites?a=1&b=2', 'Other kites', NULL, '2024-06-11T08:30:05Z', NULL, 0),
('01f54b1c-d641-493f-ab52-9e0e00fb7add', '5d96cf7f-265b-4da9-8f0c-26ef4243ed52', 'https://docs.example.com/guide/windows', 'https://docs.example.com/guide/', 'The Kite Guide', 'How to install and use Kite', '2024-06-11T08:30:06Z', NULL, 1),
('6b6dfdee-8c7c-4ae3-bda7-1c3cb1280dce', '5d96cf7f-265b-4da9-8f0c-26ef4243ed52', 'https://docs.example.com/guide/windows', 'https://docs.example.com/guide/windows', NULL, NULL, '2024-06-11T08:30:07Z', NULL, 1),
('fad0fde2-efd3-4688-822c-66a6aee6e11a', '5e6a0a2e-dd70-434d-81d7-7cffb7decc0c', 'https://docs.example.com/guide/shell', 'https://docs.example.com/guide/limits', 'Limits', NULL, '2024-06-11T08:30:08Z', NULL, 1),
('4d3c0254-ecf9-40bc-97d5-6afcec0cfbf8', 'b37523a5-3b4a-4ee2-8463-513755ac0ecd', 'https://docs.example.com/guide/limits', 'https://docs.example.com/guide', 'The Kite Guide', NULL, '2024-06-11T08:30:09Z', NULL, 2),
('2de794a9-9d92-4d60-a76e-8937ff99c889', 'aed09b82-4ca8-4fc2-bfb6-37dd5bae2d26', 'https://docs.example.com/guide/pictures', 'https://docs.example.com/guide/#install-kite', NULL, NULL, '2024-06-11T08:30:10Z', NULL, 1);
