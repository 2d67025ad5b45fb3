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
record UserLines(Lines alone, Map<String, Lines> withGroup) {
    UserLines {
        withGroup = Frozen.copyOf(withGroup);
    }

    /** Collects the lines of one user. */
    static final class Builder {
        private final Lines.Builder alone = new Lines.Builder();
        private final Map<String, Lines.Builder> withGroup = new HashMap<>();

        void add(int position, AbacLine line, String group) {
            Lines.Builder table =
                    group.isEmpty() ? alone : withGroup.computeIfAbsent(group, name -> new Lines.Builder());
            table.add(position, line);
        }

        UserLines build() {
            Map<String, Lines> tables = new HashMap<>();
            withGroup.forEach((group, table) -> tables.put(group, table.build()));
            return new UserLines(alone.build(), tables);
        }
    }
}
