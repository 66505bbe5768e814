package embedder_test

import (
	"context"
	"fmt"

	"github.com/webrag/webrag-tui/embedder"
)

func ExampleNewBuiltin() {
	b := embedder.NewBuiltin()
	vecs, err := b.EmbedMany(context.Background(), []string{
		"retrieving chunks",
		"How a retriever finds its chunks.",
		"the colour of the sky",
	}, embedder.RoleDocument)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, v := range vecs[1:] {
		var cos float64
		for i := range v {
			cos += float64(vecs[0][i]) * float64(v[i])
		}
		fmt.Printf("%.2f\n", cos)
	}
	// Output:
	// 0.88
	// 0.08
}

func ExampleNewTokenizer() {
	tok, err := embedder.NewTokenizer(embedder.TokenizerCL100K)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(tok.Count("Hello, world!"), tok.Starts("Hello, world!"))
	// Output: 4 [0 5 6 12]
}
