package io.plat.cli.convert;

import java.util.List;

/**
 * A policy in the other form.
 *
 * @param text what can be said, as it stands in a file, with line ends
 * @param document the same as one JSON document
 * @param unsaid what can't be said, each with its place and the reason
 * @param assumed what was taken for granted
 */
record Converted(String text, Object document, List<String> unsaid, List<String> assumed) {
    Converted {
        unsaid = List.copyOf(unsaid);
        assumed = List.copyOf(assumed);
    }
}
