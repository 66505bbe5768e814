#!/bin/sh
# Prints the flags that make the binary some 1.5 MB smaller: packages in which no
# time is spent that a budget counts are compiled without inlining. What draws a
# frame of the explorer is not among them, but for views and dialogs of few lines:
# without inlining, a key takes half as long again.
set -eu
for path in github.com/webrag/webrag-tui/ui/corpus github.com/webrag/webrag-tui/ui/pipeline github.com/webrag/webrag-tui/ui/score github.com/webrag/webrag-tui/citations \
	github.com/webrag/webrag-tui/session/titles github.com/webrag/webrag-tui/spelling github.com/webrag/webrag-tui/file charm.land/glamour charm.land/bubbles github.com/yuin/goldmark \
	github.com/jackc github.com/alecthomas github.com/spf13 github.com/muesli \
	github.com/goccy github.com/pelletier github.com/dlclark github.com/microcosm-cc github.com/aymerick github.com/gorilla \
	github.com/sashabaranov github.com/JohannesKaufmann golang.org/x/text/encoding golang.org/x/crypto \
	github.com/webrag/webrag-tui/cmd github.com/webrag/webrag-tui/config github.com/webrag/webrag-tui/llm github.com/webrag/webrag-tui/remote \
	github.com/webrag/webrag-tui/store/postgres/flat github.com/webrag/webrag-tui/store/postgres/internal modernc.org/sqlite/vfs \
	github.com/webrag/webrag-tui/store/postgres github.com/webrag/webrag-tui/theme github.com/webrag/webrag-tui/evaluation \
	github.com/webrag/webrag-tui/indexing/source github.com/webrag/webrag-tui/rerank github.com/webrag/webrag-tui/store/transfer github.com/webrag/webrag-tui/ui/compare github.com/webrag/webrag-tui/ui/judge github.com/webrag/webrag-tui/ui/keys github.com/webrag/webrag-tui/ui/measure github.com/webrag/webrag-tui/ui/recording github.com/webrag/webrag-tui/ui/sweep github.com/webrag/webrag-tui/ui/tour github.com/webrag/webrag-tui/ui/welcome github.com/webrag/webrag-tui/ui/whynot github.com/webrag/webrag-tui/docs golang.org/x/net/publicsuffix encoding/xml encoding/gob encoding/csv log mime image archive \
	charm.land/fang github.com/expr-lang github.com/modelcontextprotocol github.com/google github.com/adrg github.com/kljensen github.com/sahilm \
	go.opentelemetry.io database/sql net vendor/golang.org/x crypto/tls crypto/x509 crypto/internal/fips140/nistec crypto/internal/fips140/rsa crypto/internal/fips140/ecdsa \
	crypto/internal/fips140/ecdh crypto/internal/fips140/ed25519 crypto/internal/fips140/edwards25519 crypto/internal/fips140/mlkem crypto/internal/fips140/mldsa crypto/internal/fips140/bigmod crypto/internal/fips140/tls12 crypto/internal/fips140/tls13 encoding/asn1 math/big text/template html/template go; do
	printf -- '-gcflags=%s/...=-l ' "$path"
done
