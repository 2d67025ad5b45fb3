package io.plat.apiserver.storage;

/**
 * Range of keys: those of a resource, those of one namespace, or one key.
 *
 * @param namespace namespace, or {@code ""} for all, and for cluster-scoped objects
 * @param name name of a single object, or {@code ""}
 */
public record KeyRange(String resource, String namespace, String name) {
    public KeyRange {
        if (resource.isEmpty() || resource.indexOf('/') >= 0 || namespace.indexOf('/') >= 0 || name.indexOf('/') >= 0) {
            throw new IllegalArgumentException("not a range of keys: " + resource + " " + namespace + " " + name);
        }
    }

    public static KeyRange of(String resource) {
        return new KeyRange(resource, "", "");
    }

    /** Returns the range of a resource in one namespace, or in all for {@code ""}. */
    public static KeyRange of(String resource, String namespace) {
        return new KeyRange(resource, namespace, "");
    }

    public static KeyRange of(Key key) {
        return new KeyRange(key.resource(), key.namespace(), key.name());
    }

    public boolean contains(Key key) {
        return key.resource().equals(resource)
                && (namespace.isEmpty() || key.namespace().equals(namespace))
                && (name.isEmpty()
                        || (key.name().equals(name) && key.namespace().equals(namespace)));
    }

    /** Returns the smallest path of this range, inclusive. */
    String from() {
        String prefix = namespace.isEmpty() ? resource + "/" : resource + "/" + namespace + "/";
        return prefix + name;
    }

    /** Returns the end of this range, exclusive: the next byte after the separator, or after the single key. */
    String until() {
        String from = from();
        return name.isEmpty() ? from.substring(0, from.length() - 1) + (char) ('/' + 1) : from + '\0';
    }
}
