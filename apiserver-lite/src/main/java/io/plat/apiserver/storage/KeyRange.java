package io.plat.apiserver.storage;

/**
 * The keys of one resource: all of them, those of one namespace, or one key.
 *
 * @param resource the resource, with its group
 * @param namespace the namespace, or {@code ""} for every one (and for objects without)
 * @param name the name of the only object meant, or {@code ""}
 */
public record KeyRange(String resource, String namespace, String name) {
    public KeyRange {
        if (resource.isEmpty() || resource.indexOf('/') >= 0 || namespace.indexOf('/') >= 0 || name.indexOf('/') >= 0) {
            throw new IllegalArgumentException("not a range of keys: " + resource + " " + namespace + " " + name);
        }
    }

    /** Every object of a resource. */
    public static KeyRange of(String resource) {
        return new KeyRange(resource, "", "");
    }

    /** Every object of a resource in one namespace, or in all for {@code ""}. */
    public static KeyRange of(String resource, String namespace) {
        return new KeyRange(resource, namespace, "");
    }

    /** One object. */
    public static KeyRange of(Key key) {
        return new KeyRange(key.resource(), key.namespace(), key.name());
    }

    /** Returns whether a key lies in this range. */
    public boolean contains(Key key) {
        return key.resource().equals(resource)
                && (namespace.isEmpty() || key.namespace().equals(namespace))
                && (name.isEmpty()
                        || (key.name().equals(name) && key.namespace().equals(namespace)));
    }

    /** The path that no key of this range stands before. */
    String from() {
        String prefix = namespace.isEmpty() ? resource + "/" : resource + "/" + namespace + "/";
        return prefix + name;
    }

    /** The path that every key of this range stands before: the next byte after the separator, or after the one key. */
    String until() {
        String from = from();
        return name.isEmpty() ? from.substring(0, from.length() - 1) + (char) ('/' + 1) : from + '\0';
    }
}
