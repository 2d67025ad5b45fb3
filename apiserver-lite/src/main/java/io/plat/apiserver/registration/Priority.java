package io.plat.apiserver.registration;

import io.plat.apiserver.tree.ProgramData;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * How a group version ranks among others; the higher number stands first.
 *
 * @param group the group's
 * @param version the version's within the group
 */
record Priority(int group, int version) {
    /** Of a version that types made at run time have: behind all others, and sorted by what versions are called. */
    static final Priority OF_DEFINITIONS = new Priority(1000, 100);

    private static final String FILE = "priorities.txt";

    /** Those of the server's own group versions, by how {@code apiVersion} has them. */
    static Map<String, Priority> own() {
        return ProgramData.lines(Priority.class, FILE)
                .map(line -> line.split(" +"))
                .collect(Collectors.toMap(
                        words -> words[0],
                        words -> new Priority(Integer.parseInt(words[1]), Integer.parseInt(words[2]))));
    }
}
