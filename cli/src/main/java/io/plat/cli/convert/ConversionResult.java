package io.plat.cli.convert;

import java.util.List;

/**
 * A policy in the other form.
 *
 * @param text the result as a file, with line ends
 * @param document the same as one JSON document
 * @param unsaid the parts that can't be converted, each with its place and the reason
 * @param assumed the assumptions
 */
record ConversionResult(String text, Object document, List<String> unsaid, List<String> assumed) {
    ConversionResult {
        unsaid = List.copyOf(unsaid);
        assumed = List.copyOf(assumed);
    }
}
