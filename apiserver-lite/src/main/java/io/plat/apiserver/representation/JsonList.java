package io.plat.apiserver.representation;

import io.plat.apiserver.memory.RequestMemory;
import io.plat.apiserver.stored.ServedList;
import io.plat.apiserver.stored.ServedObject;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * JSON list: the concatenated stored bytes of its objects. Only objects whose version is not the stored one are converted. {@code
 * metadata.continue} is always present, as the specification demands.
 */
final class JsonList implements Body {
    private static final byte[] TAIL = ascii("]}");

    private final ServedList list;
    private final byte[] head;

    /** Converted objects, if they are not served as stored. */
    private final List<byte[]> converted = new ArrayList<>();

    /** Beginning of an item of a custom type, which alone states its type; empty for others. */
    private final byte[] itemHead;

    private final long size;

    JsonList(ServedList list) {
        this.list = list;
        this.head = ascii("{\"kind\":\"" + list.type().kind() + "List\",\"apiVersion\":\""
                + list.type().apiVersion() + "\",\"metadata\":" + metadata(list) + ",\"items\":[");
        this.itemHead = list.type().isCustom()
                ? ascii("{\"apiVersion\":\"" + list.type().apiVersion() + "\",\"kind\":\""
                        + list.type().kind() + "\",")
                : new byte[0];
        long bytes = (long) list.items().size() * Math.max(0, itemHead.length - 1);
        bytes += (long) head.length + TAIL.length + Math.max(0, list.items().size() - 1);
        for (ServedObject object : list.items()) {
            bytes += size(object);
        }
        this.size = bytes;
    }

    static String metadata(ServedList list) {
        String remaining = list.remaining().isPresent()
                ? ",\"remainingItemCount\":" + list.remaining().getAsLong()
                : "";
        return "{\"resourceVersion\":\"" + list.revision() + "\",\"continue\":\"" + list.continueToken() + "\""
                + remaining + "}";
    }

    private int size(ServedObject object) {
        if (object.storedAsServed() && object.revision() > 0) {
            return object.itemSize();
        }
        byte[] item = object.item();
        RequestMemory.current().charge(item.length);
        converted.add(item);
        return item.length;
    }

    @Override
    public long size() {
        return size;
    }

    @Override
    public void writeTo(OutputStream out) throws IOException {
        out.write(head);
        int next = 0;
        boolean first = true;
        for (ServedObject object : list.items()) {
            if (!first) {
                out.write(',');
            }
            first = false;
            out.write(itemHead);
            OutputStream item = itemHead.length == 0 ? out : new WithoutFirstByte(out);
            if (object.storedAsServed() && object.revision() > 0) {
                object.writeItem(item);
            } else {
                item.write(converted.get(next++));
            }
        }
        out.write(TAIL);
    }

    /** Omits the brace that an item's own beginning replaces. */
    private static final class WithoutFirstByte extends FilterOutputStream {
        private boolean begun;

        WithoutFirstByte(OutputStream out) {
            super(out);
        }

        @Override
        public void write(int b) throws IOException {
            if (begun) {
                out.write(b);
            }
            begun = true;
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            int omitted = begun || length == 0 ? 0 : 1;
            begun |= length > 0;
            out.write(bytes, from + omitted, length - omitted);
        }
    }

    static void append(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
    }

    static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
