package io.plat.tests.process;

import java.io.IOException;
import java.net.URI;
import java.util.function.Predicate;
import java.util.stream.DoubleStream;

/**
 * Metrics of a server at one moment, in the text format of Prometheus.
 *
 * @param text all of it
 */
public record Metrics(String text) {
    /** Returns the current metrics of a server. */
    public static Metrics of(HttpsClient client, URI metrics) throws IOException {
        return new Metrics(client.get(metrics).body());
    }

    /**
     * A number.
     *
     * @param series the metric's name, with its labels where it has any, as it is shown
     * @throws AssertionError if it is not shown
     */
    public double value(String series) {
        return values(series::equals)
                .findFirst()
                .orElseThrow(() -> new AssertionError("no metric " + series + " in\n" + text));
    }

    /** The same, and 0 for a series that is not shown: it counts what has not happened yet. */
    public double count(String series) {
        return values(series::equals).findFirst().orElse(0);
    }

    /** The sum of the series that are meant; 0 for none. */
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
