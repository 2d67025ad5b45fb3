package io.plat.tests.process;

import java.io.IOException;
import java.net.URI;
import java.util.function.Predicate;
import java.util.stream.DoubleStream;

/**
 * Metrics of a server at one time, in the Prometheus text format.
 *
 * @param text the text
 */
public record Metrics(String text) {
    /** Returns the current metrics of a server. */
    public static Metrics of(HttpsClient client, URI metrics) throws IOException {
        return new Metrics(client.get(metrics).body());
    }

    /**
     * Returns a value.
     *
     * @param series metric name, with labels if it has any, as exported
     * @throws AssertionError if it is not exported
     */
    public double value(String series) {
        return values(series::equals)
                .findFirst()
                .orElseThrow(() -> new AssertionError("no metric " + series + " in\n" + text));
    }

    /** Returns a value, and 0 for a series that is not exported: a counter without events. */
    public double count(String series) {
        return values(series::equals).findFirst().orElse(0);
    }

    /** Returns the sum of matching series; 0 for none. */
    public double sum(Predicate<String> series) {
        return values(series).sum();
    }

    private DoubleStream values(Predicate<String> series) {
        return text.lines()
                .filter(line -> !line.startsWith("#") && line.contains(" "))
                .filter(line -> series.test(line.substring(0, line.lastIndexOf(' '))))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)));
    }
}
