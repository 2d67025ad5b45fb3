package io.plat.apiserver.representation.binary;

import com.google.protobuf.CodedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Objects;
import java.util.function.IntFunction;

/** Protobuf list, assembled from the messages of its items without parsing, copying or retaining them. */
public final class BinaryList {
    static final int METADATA_NUMBER = 1;

    static final int ITEMS_NUMBER = 2;

    private final TypeMeta type;
    private final byte[] metadata;
    private final int[] sizes;
    private final IntFunction<byte[]> items;

    /**
     * @param type type of the list, such as kind {@code PodList}
     * @param sizes sizes of the items' messages, in bytes
     * @param items messages of the items, without envelopes, each requested when it is written
     */
    public BinaryList(TypeMeta type, byte[] metadata, int[] sizes, IntFunction<byte[]> items) {
        this.type = Objects.requireNonNull(type);
        this.metadata = Objects.requireNonNull(metadata);
        this.sizes = sizes.clone();
        this.items = Objects.requireNonNull(items);
    }

    /**
     * Returns the metadata of a list as a message.
     *
     * @param continueToken continue token, or {@code ""}
     * @param remainingItemCount number of remaining items; negative if unknown
     */
    public static byte[] metadata(String resourceVersion, String continueToken, long remainingItemCount) {
        boolean remaining = remainingItemCount >= 0;
        int size = CodedOutputStream.computeStringSize(2, resourceVersion)
                + CodedOutputStream.computeStringSize(3, continueToken)
                + (remaining ? CodedOutputStream.computeInt64Size(4, remainingItemCount) : 0);
        return BinaryEnvelope.written(0, size, out -> {
            out.writeString(2, resourceVersion);
            out.writeString(3, continueToken);
            if (remaining) {
                out.writeInt64(4, remainingItemCount);
            }
        });
    }

    /**
     * Returns the number of bytes that {@link #writeTo} writes.
     *
     * @throws ArithmeticException if they exceed the limit of the format, 2 GiB
     */
    public int size() {
        int message = messageSize();
        return Math.addExact(BinaryEnvelope.header(type, message).length, message);
    }

    private int messageSize() {
        long size = CodedOutputStream.computeByteArraySize(METADATA_NUMBER, metadata);
        int tag = CodedOutputStream.computeTagSize(ITEMS_NUMBER);
        for (int item : sizes) {
            size += tag + CodedOutputStream.computeUInt32SizeNoTag(item) + (long) item;
        }
        return Math.toIntExact(size);
    }

    /**
     * Writes the list in its envelope.
     *
     * @throws ArithmeticException as {@link #size}
     */
    public void writeTo(OutputStream out) throws IOException {
        out.write(BinaryEnvelope.header(type, messageSize()));
        CodedOutputStream fields = CodedOutputStream.newInstance(out);
        fields.writeByteArray(METADATA_NUMBER, metadata);
        for (int i = 0; i < sizes.length; i++) {
            fields.writeByteArray(ITEMS_NUMBER, items.apply(i));
        }
        fields.flush();
    }
}
