package io.plat.apiserver.representation;

import io.plat.apiserver.memory.RequestMemory;
import io.plat.apiserver.stored.ServedList;
import io.plat.apiserver.stored.ServedObject;
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

    /** True if items state their types, as those of custom types do. */
    private final boolean typed;

    private final long size;

    JsonList(ServedList list) {
        this.list = list;
        this.head = ascii("{\"kind\":\"" + list.type().kind() + "List\",\"apiVersion\":\""
                + list.type().apiVersion() + "\",\"metadata\":" + metadata(list) + ",\"items\":[");
        this.typed = list.type().isCustom();
        long bytes = (long) head.length + TAIL.length + Math.max(0, list.items().size() - 1);
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

    private long size(ServedObject object) {
        if (isCopied(object)) {
            return typed ? object.size() : object.itemSize();
        }
        byte[] item = typed ? object.json() : object.item();
        RequestMemory.current().charge(item.length);
        converted.add(item);
        return item.length;
    }

    private static boolean isCopied(ServedObject object) {
        return object.storedAsServed() && object.revision() > 0;
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
            if (!isCopied(object)) {
                out.write(converted.get(next++));
            } else if (typed) {
                object.writeTo(out);
            } else {
                object.writeItem(out);
            }
        }
        out.write(TAIL);
    }

    static void append(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
    }

    static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
