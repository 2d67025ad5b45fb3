package io.plat.apiserver.resource;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * A list, or a chunk of one (specification, "Object and list shapes").
 *
 * @param type the type of its objects
 * @param revision the state it shows
 * @param continueToken where to go on, {@code ""} at the end
 * @param remaining how many objects are still to come, where that is known
 * @param items the objects, in the order of their keys
 */
public record ServedList(
        ResourceType type, long revision, String continueToken, OptionalLong remaining, List<ServedObject> items) {
    public ServedList {
        Objects.requireNonNull(type);
        Objects.requireNonNull(continueToken);
        Objects.requireNonNull(remaining);
        items = List.copyOf(items);
    }

    /** Its JSON. {@code metadata.continue} is always there, as the specification demands. */
    public byte[] json() {
        var out = new ByteArrayOutputStream(256 + items.size() * 512);
        String more = remaining.isPresent() ? ",\"remainingItemCount\":" + remaining.getAsLong() : "";
        append(
                out,
                "{\"kind\":\"" + type.kind() + "List\",\"apiVersion\":\"" + type.apiVersion()
                        + "\",\"metadata\":{\"resourceVersion\":\"" + revision + "\",\"continue\":\"" + continueToken
                        + "\"" + more + "},\"items\":[");
        for (int i = 0; i < items.size(); i++) {
            if (i > 0) {
                out.write(',');
            }
            out.writeBytes(items.get(i).item());
        }
        append(out, "]}");
        return out.toByteArray();
    }

    private static void append(ByteArrayOutputStream out, String text) {
        out.writeBytes(text.getBytes(StandardCharsets.UTF_8));
    }
}
