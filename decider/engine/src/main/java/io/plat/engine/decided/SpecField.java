package io.plat.engine.decided;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A field of a spec that can be masked.
 *
 * @param name which one
 * @param key the key of {@link Name#EXTRA}; {@code ""} for all keys, and for every other field
 */
public record SpecField(Name name, String key) {
    private static final String EXTRA_KEY = "extra.";

    /** The fields by their paths in a spec of {@code authorization.k8s.io/v1}, the form of every spec in the log. */
    public enum Name {
        USER("user"),
        UID("uid"),
        GROUPS("groups"),
        EXTRA("extra"),
        NAMESPACE("resourceAttributes.namespace"),
        NAME("resourceAttributes.name"),
        FIELD_SELECTOR("resourceAttributes.fieldSelector"),
        LABEL_SELECTOR("resourceAttributes.labelSelector"),
        PATH("nonResourceAttributes.path");

        private final String path;

        Name(String path) {
            this.path = path;
        }
    }

    public SpecField {
        if (!key.isEmpty() && name != Name.EXTRA) {
            throw new IllegalArgumentException("only extra has keys");
        }
    }

    /** Returns the field of a path, if it can be masked. */
    public static Optional<SpecField> of(String path) {
        if (path.startsWith(EXTRA_KEY) && path.length() > EXTRA_KEY.length()) {
            return Optional.of(new SpecField(Name.EXTRA, path.substring(EXTRA_KEY.length())));
        }
        return Arrays.stream(Name.values())
                .filter(name -> name.path.equals(path))
                .map(name -> new SpecField(name, ""))
                .findFirst();
    }

    /** Returns the valid paths, for help texts and messages. */
    public static String paths() {
        return Arrays.stream(Name.values()).map(name -> name.path).collect(Collectors.joining(", ")) + ", extra.KEY";
    }
}
