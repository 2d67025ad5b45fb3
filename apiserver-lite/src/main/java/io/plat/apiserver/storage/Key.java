package io.plat.apiserver.storage;

import java.util.Objects;

/**
 * The place of one object. Keys are ordered by the bytes of their {@linkplain #path() path}, as every backend that keeps them
 * in byte order does by itself.
 *
 * <p>Three parts: the resource (with its group), the namespace or {@code ""}, the name. A part never holds a slash, so that a
 * path has one reading.
 */
public final class Key implements Comparable<Key> {
    private final String resource;
    private final String namespace;
    private final String name;
    private final String path;
    private final boolean ascii;

    /**
     * The key of an object.
     *
     * @param resource the resource, with its group behind a dot where it has one, such as {@code roles.example.io}
     * @param namespace the namespace, or {@code ""} for an object without one
     * @param name the object's name
     * @throws IllegalArgumentException if a part holds a slash or an unpaired surrogate, or if resource or name are empty
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
        if (value.isEmpty()) {
            throw new IllegalArgumentException("a part of a key is empty");
        }
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '/' || c == '\0') {
                throw new IllegalArgumentException("not a part of a key: \"" + value + "\"");
            }
            if (Character.isSurrogate(c)) {
                if (i + 1 == value.length() || !Character.isSurrogatePair(c, value.charAt(i + 1))) {
                    throw new IllegalArgumentException("a part of a key holds half a character");
                }
                i++;
            }
        }
        return value;
    }

    /**
     * The key that a path names.
     *
     * @throws IllegalArgumentException if the path has not two or three parts
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

    /** The resource, with its group. */
    public String resource() {
        return resource;
    }

    /** The namespace, or {@code ""}. */
    public String namespace() {
        return namespace;
    }

    /** The object's name. */
    public String name() {
        return name;
    }

    /** {@code resource/name}, or {@code resource/namespace/name}. */
    public String path() {
        return path;
    }

    @Override
    public int compareTo(Key other) {
        // Where one of two differing units is ASCII both orders agree, and the one of strings takes many units at a
        // time.
        return ascii || other.ascii ? path.compareTo(other.path) : comparePaths(path, other.path);
    }

    /** The order of two paths' UTF-8 bytes: that of their UTF-16 units, but for surrogates, which stand behind all others. */
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
