#!/bin/sh
# Unpacks PostgreSQL 17 with pgvector from Debian's packages into a folder,
# without installing anything, without root and without containers, and prints
# its bin folder as the last line on standard output; everything else goes to
# standard error.
#
# The packages are those of Debian 13, which need a newer C library than older
# systems have. So the whole closure is unpacked, its C library included, and
# each program is started through the loader that came with it.
#
# The folder is $WEBRAG_POSTGRES, else webrag-tui/postgres in the user's cache
# folder; for root it is /var/cache/webrag-tui/postgres, because the server runs
# as "nobody" then, who must be able to enter it. About 250 MB, unpacked once.
#
# WEBRAG_DEBIAN_MIRROR is the Debian mirror to use; without it, the one that
# this machine's apt uses.
set -eu

suite=trixie
packages="postgresql-17 postgresql-17-pgvector"
# Raised when the way of unpacking changes: an older folder is made anew.
layout=1

# What a server never loads: compilers for JIT, the tools of an installation,
# init, another locale's data. Named by exclusion, so that a library which is
# new among the dependencies comes along by itself.
unused='^(adduser|apt|base-passwd|bash|coreutils|dash|debconf|debianutils|diffutils|dpkg|gcc-.*|grep|init.*|login.*|locales.*|mount|openssl.*|passwd|perl.*|libperl.*|postgresql-common.*|postgresql-client-common|sed|sensible-utils|ssl-cert|systemd.*|libsystemd-shared|sysvinit.*|tar|tzdata|ucf|util-linux.*|libllvm.*|libz3.*|libpam-.*|netbase|lsb-.*|ca-certificates|cdebconf|libjson-perl|libipc-run-perl|libcommon-sense-perl|libtypes-serialiser-perl|libjson-xs-perl)$'

say() { echo "postgres: $*" >&2; }
fail() {
	say "$1"
	exit "${2:-1}"
}

if [ -n "${WEBRAG_POSTGRES:-}" ]; then
	dir=$WEBRAG_POSTGRES
elif [ "$(id -u)" = 0 ]; then
	dir=/var/cache/webrag-tui/postgres
else
	dir=${XDG_CACHE_HOME:-$HOME/.cache}/webrag-tui/postgres
fi

umask 022 # the server's user must be able to read it all
mkdir -p "$dir" || fail "cannot write $dir; set WEBRAG_POSTGRES to another folder"
dir=$(cd "$dir" && pwd)
root=$dir/root
bin=$root/usr/lib/postgresql/17/bin

finished() { [ "$(cat "$root/.done" 2>/dev/null)" = "$layout $root" ]; }
if finished; then
	echo "$bin"
	exit 0
fi

for tool in apt-get apt-config dpkg dpkg-deb; do
	command -v "$tool" >/dev/null 2>&1 || fail "$tool is not on this machine: the server comes from Debian packages" 3
done

keyring=/usr/share/keyrings/debian-archive-keyring.gpg
[ -r "$keyring" ] || fail "$keyring is missing; it is in the package debian-archive-keyring" 3

# The mirror in deb822 form, else in the form of one line: the first that is
# called like one, else the first. The security archive has other packages.
mirror=${WEBRAG_DEBIAN_MIRROR:-}
if [ -z "$mirror" ]; then
	mirrors=$(cat /etc/apt/sources.list.d/*.sources /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null |
		awk '$1 == "URIs:" { print $2 } $1 == "deb" { for (i = 2; i <= NF; i++) if ($i ~ /:\/\//) { print $i; break } }' |
		grep -v security) || true
	mirror=$(echo "$mirrors" | grep -E '/debian/?$' | head -n 1) || true
	[ -n "$mirror" ] || mirror=$(echo "$mirrors" | head -n 1)
fi
[ -n "$mirror" ] || fail "the sources of apt name no Debian mirror; set WEBRAG_DEBIAN_MIRROR to one" 3

# One at a time: the packages of several tests start this together. The lock is
# the kernel's, so a process that was killed leaves none behind.
exec 9>"$dir/lock" || fail "cannot write $dir/lock"
if command -v flock >/dev/null 2>&1; then
	flock 9
fi
if finished; then
	echo "$bin"
	exit 0
fi

rm -rf "$dir"/.unpacking.* # of a run that was killed
work=$(mktemp -d "$dir/.unpacking.XXXXXX") || fail "cannot write $dir; set WEBRAG_POSTGRES to another folder"
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP
chmod 755 "$work"

# apt with a state of its own: with an empty status file it resolves the whole
# closure, and nothing of the machine's own is read, but for how to reach the
# network.
arch=$(dpkg --print-architecture)
mkdir -p "$work/etc" "$work/state/lists/partial" "$work/cache/archives/partial" "$work/debs" "$work/root"
: >"$work/state/status"
echo "deb [signed-by=$keyring arch=$arch] $mirror $suite main" >"$work/etc/sources.list"
{
	apt-config dump | grep -E '^Acquire::(http|https|ftp|Retries|ForceIPv)' || true
	cat <<END
APT::Architecture "$arch";
APT::Architectures { "$arch"; };
APT::Install-Recommends "false";
APT::Sandbox::User "";
Acquire::Languages "none";
Debug::NoLocking "true";
Dir::Etc "$work/etc";
Dir::Etc::sourcelist "$work/etc/sources.list";
Dir::Etc::sourceparts "/dev/null";
Dir::Etc::parts "/dev/null";
Dir::Etc::preferencesparts "/dev/null";
Dir::State "$work/state";
Dir::State::status "$work/state/status";
Dir::Cache "$work/cache";
END
} >"$work/apt.conf"
export APT_CONFIG="$work/apt.conf"

apt() {
	if ! apt-get "$@" >"$work/log" 2>&1; then
		tail -n 20 "$work/log" >&2
		fail "cannot fetch PostgreSQL's packages: is the Debian mirror reachable?" 3
	fi
}

say "fetching PostgreSQL 17 with pgvector, once ($dir)"
apt update
# shellcheck disable=SC2086 # two names
apt --print-uris -y install $packages
# Lines are 'URL' FILE SIZE HASH; the file is NAME_VERSION_ARCH.deb.
wanted=$(awk -v unused="$unused" '/^'\''.*\.deb / { split($2, part, "_"); if (part[1] !~ unused) print part[1] }' "$work/log")
[ -n "$wanted" ] || fail "apt named no packages for $packages"
# shellcheck disable=SC2086 # a list of names
(cd "$work/debs" && apt download $wanted)
for deb in "$work"/debs/*.deb; do
	dpkg-deb -x "$deb" "$work/root" || fail "cannot unpack $deb"
done
for link in bin lib lib64 sbin; do
	if [ ! -e "$work/root/$link" ] && [ -d "$work/root/usr/$link" ]; then
		ln -s "usr/$link" "$work/root/$link"
	fi
done
rm -rf "$work/root/usr/share/doc" "$work/root/usr/share/man" "$work/root/usr/share/locale"

# Renamed before the wrappers are written, which hold absolute names.
rm -rf "$root"
mv "$work/root" "$root"

loader=$(find "$root/usr/lib" "$root/usr/lib64" -name 'ld-linux*.so.*' 2>/dev/null | head -n 1)
[ -n "$loader" ] || fail "the packages have no loader for $arch"
libraries=$(dirname "$(find "$root/usr/lib" -name libc.so.6 | head -n 1)")

# The loader alone does not help: initdb starts postgres by its name, and that
# would get the machine's own loader. Under --argv0 each finds its share and lib
# folders relative to itself.
for program in "$bin"/*; do
	mv "$program" "$program.real"
	cat >"$program" <<END
#!/bin/sh
exec '$loader' --library-path '$libraries' --argv0 '$program' '$program.real' "\$@"
END
	chmod 755 "$program"
done

"$bin/postgres" -V >&2 || fail "the server that was unpacked does not run on this machine" 3
[ -e "$root/usr/share/postgresql/17/extension/vector.control" ] || fail "the packages have no pgvector"
echo "$layout $root" >"$root/.done"
echo "$bin"
