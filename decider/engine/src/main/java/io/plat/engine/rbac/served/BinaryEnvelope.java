package io.plat.engine.rbac.served;

import io.plat.review.source.Quoted;
import java.util.Arrays;
import java.util.Set;

/**
 * Envelope of a binary response (specification, "Binary envelope"): four bytes, then the message {@code Unknown}.
 *
 * @param apiVersion the group and version of the content
 * @param kind the kind of the content
 * @param raw the content
 */
record BinaryEnvelope(String apiVersion, String kind, WireReader raw) {
    private static final byte[] PREFIX = {0x6b, 0x38, 0x73, 0x00};
    private static final Set<String> TYPES =
            Set.of("", BinaryForm.MEDIA_TYPE, BinaryForm.MEDIA_TYPE_OF_THE_SPECIFICATION);

    /** Reads an envelope within an array. */
    static BinaryEnvelope open(byte[] bytes, int from, int to) throws MalformedRolesException {
        if (to - from < PREFIX.length || !Arrays.equals(bytes, from, from + PREFIX.length, PREFIX, 0, PREFIX.length)) {
            throw new MalformedRolesException("a binary answer without the four bytes that begin one");
        }
        String apiVersion = "";
        String kind = "";
        WireReader raw = new WireReader(bytes, to, to);
        WireReader unknown = new WireReader(bytes, from + PREFIX.length, to);
        while (unknown.next()) {
            switch (unknown.field()) {
                case 1 -> {
                    WireReader type = unknown.message();
                    while (type.next()) {
                        switch (type.field()) {
                            case 1 -> apiVersion = type.text();
                            case 2 -> kind = type.text();
                            default -> type.skip();
                        }
                    }
                }
                case 2 -> raw = unknown.message();
                case 3 -> require("encoding", Set.of(""), unknown.text());
                case 4 -> require("type", TYPES, unknown.text());
                default -> unknown.skip();
            }
        }
        return new BinaryEnvelope(apiVersion, kind, raw);
    }

    private static void require(String what, Set<String> known, String found) throws MalformedRolesException {
        if (!known.contains(found)) {
            throw new MalformedRolesException(
                    "a binary answer has the unknown content " + what + " " + Quoted.of(found));
        }
    }
}
