package io.plat.engine.abac;

import io.plat.engine.lookup.Frozen;
import java.util.HashMap;
import java.util.Map;

/**
 * The lines that name one user.
 *
 * @param alone those that ask for no group besides
 * @param withGroup those that ask for a group too, by group
 */
record UserLines(LineTable alone, Map<String, LineTable> withGroup) {
    UserLines {
        withGroup = Frozen.copyOf(withGroup);
    }

    /** Collects the lines of one user. */
    static final class Builder {
        private final LineTable.Builder alone = new LineTable.Builder();
        private final Map<String, LineTable.Builder> withGroup = new HashMap<>();

        void add(int position, AbacLine line, String group) {
            LineTable.Builder table =
                    group.isEmpty() ? alone : withGroup.computeIfAbsent(group, name -> new LineTable.Builder());
            table.add(position, line);
        }

        UserLines build() {
            Map<String, LineTable> tables = new HashMap<>();
            withGroup.forEach((group, table) -> tables.put(group, table.build()));
            return new UserLines(alone.build(), tables);
        }
    }
}
