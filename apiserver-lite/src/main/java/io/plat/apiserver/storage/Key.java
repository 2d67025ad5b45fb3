package io.plat.apiserver.storage;

import java.util.Objects;

/**
 * Key of an object. Keys are ordered by the bytes of their {@linkplain #path() path}, the natural order of backends.
 *
 * <p>Consists of the resource (with its group), the namespace or {@code ""}, and the name. Parts contain no slash, so paths are
 * unambiguous.
 */
public final class Key implements Comparable<Key> {
    private final String resource;
    private final String namespace;
    private final String name;
    private final String path;
    private final boolean ascii;

    /**
     * @param resource resource, with its group after a dot if it has one, such as {@code roles.example.io}
     * @param namespace namespace, or {@code ""} for a cluster-scoped object
     * @throws IllegalArgumentException if a part contains a slash or an unpaired surrogate, or if resource or name are empty
     */
    public Key(String resource, String namespace, String name) {
        this.resource = part(resource);
        this.namespace = namespace.isEmpty() ? "" : part(namespace);
        this.name = part(name);
        this.path = namespace.isEmpty() ? resource + "/" + name : resource + "/" + namespace + "/" + name;
        this.ascii = ascii(path);
    }

    private static boolean ascii(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) >= 0x80) {
                return false;
            }
        }
        return true;
    }

    private static String part(String value) {
        if (!isPart(value)) {
            throw new IllegalArgumentException("not a part of a key: \"" + value + "\"");
        }
        return value;
    }

    /** Returns whether a text can be the resource, namespace or name of a key; no object has another one. */
    public static boolean isPart(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '/' || c == '\0') {
                return false;
            }
            if (Character.isSurrogate(c)) {
                if (i + 1 == text.length() || !Character.isSurrogatePair(c, text.charAt(i + 1))) {
                    return false;
                }
                i++;
            }
        }
        return !text.isEmpty();
    }

    /**
     * Parses a path.
     *
     * @throws IllegalArgumentException unless the path has two or three parts
     */
    public static Key parse(String path) {
        int first = path.indexOf('/');
        int last = path.lastIndexOf('/');
        if (first < 0) {
            throw new IllegalArgumentException("not the path of a key: \"" + path + "\"");
        }
        String namespace = first == last ? "" : path.substring(first + 1, last);
        if (first != last && namespace.isEmpty()) {
            throw new IllegalArgumentException("not the path of a key: \"" + path + "\"");
        }
        return new Key(path.substring(0, first), namespace, path.substring(last + 1));
    }

    public String resource() {
        return resource;
    }

    /** Returns the namespace, or {@code ""}. */
    public String namespace() {
        return namespace;
    }

    public String name() {
        return name;
    }

    /** Returns {@code resource/name}, or {@code resource/namespace/name}. */
    public String path() {
        return path;
    }

    @Override
    public int compareTo(Key other) {
        // If one of two differing units is ASCII, both orders agree, and string comparison is vectorized.
        return ascii || other.ascii ? path.compareTo(other.path) : comparePaths(path, other.path);
    }

    /** Compares two paths by their UTF-8 bytes: like UTF-16 units, except that surrogates come last. */
    static int comparePaths(String left, String right) {
        int common = Math.min(left.length(), right.length());
        for (int i = 0; i < common; i++) {
            char a = left.charAt(i);
            char b = right.charAt(i);
            if (a != b) {
                boolean astral = Character.isSurrogate(a);
                return astral == Character.isSurrogate(b) ? Character.compare(a, b) : astral ? 1 : -1;
            }
        }
        return Integer.compare(left.length(), right.length());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Key key && path.equals(key.path);
    }

    @Override
    public int hashCode() {
        return Objects.hashCode(path);
    }

    @Override
    public String toString() {
        return path;
    }
}
