package io.plat.apiserver.representation.binary;

/**
 * Kind and apiVersion of an object, which are fields of the object in JSON, and in the envelope in protobuf.
 *
 * @param apiVersion group and version, {@code v1} for the core group; {@code ""} if absent
 * @param kind kind; {@code ""} if absent
 */
public record TypeMeta(String apiVersion, String kind) {
    /** Neither apiVersion nor kind. */
    public static final TypeMeta UNKNOWN = new TypeMeta("", "");

    /** Returns this type, with another one as the default for absent parts. */
    TypeMeta orElse(TypeMeta other) {
        return new TypeMeta(apiVersion.isEmpty() ? other.apiVersion : apiVersion, kind.isEmpty() ? other.kind : kind);
    }
}
