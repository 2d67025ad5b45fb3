package io.plat.engine.rbac.follow;

import io.plat.engine.rbac.served.ServedObject;
import java.util.List;
import java.util.Objects;

/**
 * A complete list of one type.
 *
 * @param version to watch from
 * @param items every object that tells which one it is
 * @param nameless what is wrong with those that don't
 */
record Listed(String version, List<ServedObject> items, List<String> nameless) {
    Listed {
        Objects.requireNonNull(version);
        items = List.copyOf(items);
        nameless = List.copyOf(nameless);
    }
}
