package io.plat.tests.stock;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Comparison of a server's responses with those of kube-apiserver.
 *
 * @param areas equal and total responses, by kind of request
 * @param differences a text for each different response, with a command that reproduces it
 */
record Comparison(Map<String, int[]> areas, List<String> differences) {
    /** Sends every request to a server. */
    static Comparison of(List<Exchange> exchanges, Replay server) throws IOException {
        Map<String, int[]> areas = new TreeMap<>();
        List<String> differences = new ArrayList<>();
        for (Exchange exchange : exchanges) {
            Answer ours = server.send(exchange).stable();
            Answer theirs = exchange.answer().stable();
            List<String> responseDifferences = Difference.between(theirs, ours);
            int[] area = areas.computeIfAbsent(exchange.area(), name -> new int[2]);
            area[1]++;
            if (responseDifferences.isEmpty() || Reasons.cover(exchange, theirs, ours)) {
                area[0]++;
            } else {
                differences.add("# " + exchange.line() + " " + exchange.area() + " " + exchange.who() + " "
                        + exchange.method() + " " + exchange.path() + "\n" + exchange.command() + "\n  "
                        + String.join("\n  ", responseDifferences));
            }
        }
        return new Comparison(areas, differences);
    }

    /** Returns the share of equal responses. */
    double share() {
        int all = areas.values().stream().mapToInt(area -> area[1]).sum();
        return (double) (all - differences.size()) / all;
    }

    /** Prints the shares, and writes the differences into a file. */
    void print(Path report) throws IOException {
        Files.write(report, differences);
        areas.forEach((area, counts) -> System.out.println(area + ": " + counts[0] + " of " + counts[1]));
        System.out.printf(
                "the same answers: %.2f %%; differences: %d in %s%n", 100 * share(), differences.size(), report);
    }
}
