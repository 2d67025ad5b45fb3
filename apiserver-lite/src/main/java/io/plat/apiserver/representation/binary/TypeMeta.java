package io.plat.apiserver.representation.binary;

import java.util.Objects;

/**
 * Which type an object is of. In JSON these are fields of the object itself, in binary form they stand in its envelope.
 *
 * @param apiVersion group and version, {@code v1} for the core group; {@code ""} where nothing is said
 * @param kind the name of the type; {@code ""} where nothing is said
 */
public record TypeMeta(String apiVersion, String kind) {
    /** Neither apiVersion nor kind. */
    public static final TypeMeta UNKNOWN = new TypeMeta("", "");

    public TypeMeta {
        Objects.requireNonNull(apiVersion);
        Objects.requireNonNull(kind);
    }

    /** This type, with what it leaves unsaid taken from another. */
    TypeMeta orElse(TypeMeta other) {
        return new TypeMeta(apiVersion.isEmpty() ? other.apiVersion : apiVersion, kind.isEmpty() ? other.kind : kind);
    }
}
