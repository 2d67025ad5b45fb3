package io.plat.apiserver.representation;

import io.plat.apiserver.representation.binary.BinaryEnvelope;
import io.plat.apiserver.representation.binary.BinaryList;

import io.plat.apiserver.representation.binary.TypeMeta;
import io.plat.apiserver.resource.ServedList;
import io.plat.apiserver.resource.ServedObject;
import io.plat.review.status.StatusException;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;

/** The binary envelope (specification, "Binary envelope"), under either of its names. */
final class EnvelopeEncoding implements Encoding {
    /** As the specification names it. */
    static final EnvelopeEncoding PLATFORM = new EnvelopeEncoding(BinaryEnvelope.MEDIA_TYPE);

    /** As existing clients name it. */
    static final EnvelopeEncoding OF_THE_FIELD = new EnvelopeEncoding(BinaryEnvelope.MEDIA_TYPE_OF_THE_FIELD);

    private final String mediaType;

    private EnvelopeEncoding(String mediaType) {
        this.mediaType = mediaType;
    }

    /** Read when the first client asks for it: many servers never see one. */
    private static final class Lazy {
        static final BinaryMessages MESSAGES = new BinaryMessages();
    }

    /** Whether a type has this form. */
    static boolean encodes(TypeMeta type) {
        return Lazy.MESSAGES.has(type);
    }

    @Override
    public String contentType() {
        return mediaType;
    }

    @Override
    public String streamContentType() {
        return mediaType + ";stream=watch";
    }

    @Override
    public byte[] encode(TypeMeta type, byte[] json) throws StatusException {
        return Lazy.MESSAGES.form(type).envelope(json);
    }

    @Override
    public byte[] object(ServedObject object) throws StatusException {
        return BinaryEnvelope.wrap(BinaryMessages.typeOf(object), Lazy.MESSAGES.message(object));
    }

    @Override
    public Body list(ServedList list) throws StatusException {
        List<byte[]> items = new ArrayList<>(list.items().size());
        for (ServedObject object : list.items()) {
            items.add(Lazy.MESSAGES.message(object));
        }
        byte[] metadata = BinaryList.metadata(
                Long.toString(list.revision()),
                list.continueToken(),
                list.remaining().orElse(-1));
        BinaryList binary = new BinaryList(
                new TypeMeta(list.type().apiVersion(), list.type().kind() + "List"), metadata, items);
        int size = binary.size();
        return new Body() {
            @Override
            public long size() {
                return size;
            }

            @Override
            public void writeTo(OutputStream out) throws IOException {
                binary.writeTo(out);
            }
        };
    }

    @Override
    public byte[] frame(String event, byte[] encoded) {
        return BinaryEnvelope.watchFrame(event, encoded);
    }
}
