package io.plat.apiserver.representation.binary;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Objects;

/** A list in binary form, put together from the messages of its items: none of them is looked at or copied. */
public final class BinaryList {
    /** In every list. */
    static final int METADATA_NUMBER = 1;

    /** In every list. */
    static final int ITEMS_NUMBER = 2;

    private final TypeMeta type;
    private final byte[] metadata;
    private final List<byte[]> items;

    /**
     * @param type the list's own type, such as kind {@code PodList}
     * @param metadata the message of its ListMeta
     * @param items the items' messages, without envelopes
     */
    public BinaryList(TypeMeta type, byte[] metadata, List<byte[]> items) {
        this.type = Objects.requireNonNull(type);
        this.metadata = Objects.requireNonNull(metadata);
        this.items = List.copyOf(items);
    }

    /**
     * The metadata of a list as a message.
     *
     * @param resourceVersion the version of the list
     * @param continueToken the token for what follows, or {@code ""}
     * @param remainingItemCount how many items follow; negative where nobody says
     */
    public static byte[] metadata(String resourceVersion, String continueToken, long remainingItemCount) {
        var fields = new WireWriter(resourceVersion.length() + continueToken.length() + 32);
        fields.tag(WireReader.block(2));
        fields.text(resourceVersion);
        fields.tag(WireReader.block(3));
        fields.text(continueToken);
        if (remainingItemCount >= 0) {
            fields.tag(WireReader.number(4));
            fields.varint(remainingItemCount);
        }
        var message = new byte[fields.encodedSize()];
        fields.copyTo(message, 0);
        return message;
    }

    /**
     * How many bytes {@link #writeTo} writes.
     *
     * @throws ArithmeticException where they are more than the format can hold, 2 GiB
     */
    public int size() {
        int message = messageSize();
        return Math.addExact(BinaryEnvelope.header(type, message).length, message);
    }

    private int messageSize() {
        long size = fieldSize(metadata);
        for (byte[] item : items) {
            size += fieldSize(item);
        }
        return Math.toIntExact(size);
    }

    private static long fieldSize(byte[] message) {
        return 1L + WireWriter.varintSize(message.length) + message.length;
    }

    /**
     * Writes the list in its envelope.
     *
     * @throws IOException where the stream does
     * @throws ArithmeticException as {@link #size}
     */
    public void writeTo(OutputStream out) throws IOException {
        out.write(BinaryEnvelope.header(type, messageSize()));
        write(METADATA_NUMBER, metadata, out);
        for (byte[] item : items) {
            write(ITEMS_NUMBER, item, out);
        }
    }

    private static void write(int number, byte[] message, OutputStream out) throws IOException {
        out.write(WireReader.block(number));
        int length = message.length;
        while (length > 0x7f) {
            out.write((length & 0x7f) | 0x80);
            length >>>= 7;
        }
        out.write(length);
        out.write(message);
    }
}
