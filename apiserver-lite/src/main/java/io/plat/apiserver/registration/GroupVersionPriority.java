package io.plat.apiserver.registration;

import io.plat.apiserver.tree.ProgramData;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Priority of a group version; higher numbers come first.
 *
 * @param version priority of the version within the group
 */
record GroupVersionPriority(int group, int version) {
    /** Priority of custom types: after all others, sorted by version name. */
    static final GroupVersionPriority OF_DEFINITIONS = new GroupVersionPriority(1000, 100);

    private static final String FILE = "priorities.txt";

    /** Returns the priorities of built-in group versions by apiVersion. */
    static Map<String, GroupVersionPriority> own() {
        return ProgramData.lines(GroupVersionPriority.class, FILE)
                .map(line -> line.split(" +"))
                .collect(Collectors.toMap(
                        words -> words[0],
                        words -> new GroupVersionPriority(Integer.parseInt(words[1]), Integer.parseInt(words[2]))));
    }
}
