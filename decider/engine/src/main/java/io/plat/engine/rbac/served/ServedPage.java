package io.plat.engine.rbac.served;

import java.util.List;

/**
 * A chunk of a list (specification, "Chunked lists").
 *
 * @param version the resource version of the whole list
 * @param next the token for the next chunk, {@code ""} at the end
 * @param items the objects, in the server's order
 * @param nameless problems of items whose identity is unknown
 */
public record ServedPage(String version, String next, List<ReceivedObject> items, List<String> nameless) {
    public ServedPage {
        items = List.copyOf(items);
        nameless = List.copyOf(nameless);
    }
}
