package io.plat.engine.rbac.served;

import io.plat.engine.rbac.RbacKind;
import java.util.Locale;
import java.util.Optional;

/** A form in which role objects are served. */
public sealed interface ServedForm permits JsonForm, BinaryForm {
    /** Accept header of a list: the binary form, as it costs both sides less, and JSON as a fallback. */
    String ACCEPTED_LISTS = BinaryForm.MEDIA_TYPE + ", " + JsonForm.MEDIA_TYPE + ";q=0.9";

    /** The same of a watch. */
    String ACCEPTED_WATCHES = BinaryForm.MEDIA_TYPE + ";stream=watch, " + JsonForm.MEDIA_TYPE + ";stream=watch;q=0.9, "
            + JsonForm.MEDIA_TYPE + ";q=0.8";

    /** The form that a header {@code Content-Type} names; its parameters do not matter. */
    static Optional<ServedForm> of(String contentType) {
        int end = contentType.indexOf(';');
        String type =
                (end < 0 ? contentType : contentType.substring(0, end)).strip().toLowerCase(Locale.ROOT);
        return switch (type) {
            case JsonForm.MEDIA_TYPE -> Optional.of(JsonForm.INSTANCE);
            case BinaryForm.MEDIA_TYPE, BinaryForm.MEDIA_TYPE_OF_THE_SPECIFICATION -> Optional.of(BinaryForm.INSTANCE);
            default -> Optional.empty();
        };
    }

    /**
     * Decodes a chunk of a list.
     *
     * @param kind the requested type
     * @param length the number of bytes of the body
     * @throws MalformedRolesException if it is not such a list
     */
    ServedPage page(RbacKind kind, byte[] body, int length) throws MalformedRolesException;

    /**
     * Decodes an event of a watch.
     *
     * @param kind the watched type
     * @param frame a frame from {@link #frames}
     * @throws MalformedRolesException if it is not such an event, or the identity of its object is unknown
     */
    ServedEvent event(RbacKind kind, byte[] frame) throws MalformedRolesException;

    /**
     * Reads a Status, as servers answer it with a refusal.
     *
     * @param length how many of the bytes are the body
     * @throws MalformedRolesException if it is none
     */
    ServedEvent.Failure status(byte[] body, int length) throws MalformedRolesException;

    /**
     * Takes the stream of a watch apart, from its start.
     *
     * @param longest the most bytes of an event
     */
    Frames frames(int longest);
}
