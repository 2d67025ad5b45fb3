package io.plat.apiserver.representation.binary;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Locale;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Prints the conversion rate of a typical pod by the CPU time of one thread, in full runs; never fails. */
class ThroughputTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long WARM_UP = Boolean.getBoolean("plat.full") ? 3 * SECOND / 2 : SECOND / 10;
    private static final long MEASURED = Boolean.getBoolean("plat.full") ? SECOND : SECOND / 10;
    private static final double MEGA = 1e6;

    private final BinaryForm pods =
            BinaryForms.builtIn().find(new TypeMeta("v1", "Pod")).orElseThrow();
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();

    /** A pod as a server returns it. */
    static byte[] pod() throws IOException {
        try (InputStream in = Objects.requireNonNull(ThroughputTest.class.getResourceAsStream("pod.json"))) {
            return in.readAllBytes();
        }
    }

    @Test
    void podRoundTripThroughput() throws Exception {
        byte[] json = pod();
        byte[] message = pods.message(json);
        var mapper = new JsonMapper();
        assertThat(mapper.readTree(pods.json(message, 1 << 20))).isEqualTo(mapper.readTree(json));

        System.out.printf(Locale.ROOT, "a pod of %d bytes in JSON, %d in binary form%n", json.length, message.length);
        print("JSON to binary", json.length, () -> pods.message(json));
        print("binary to JSON", json.length, () -> pods.json(message, 1 << 20));
    }

    private interface Translation {
        byte[] run() throws Exception;
    }

    private void print(String what, int jsonBytes, Translation translation) throws Exception {
        perObject(translation, WARM_UP);
        double nanos = perObject(translation, MEASURED);
        System.out.printf(
                Locale.ROOT,
                "%s: %.1f us an object, %.0f MB/s of JSON%n",
                what,
                nanos / 1e3,
                jsonBytes / nanos * 1e9 / MEGA);
        assertThat(nanos).isPositive();
    }

    private double perObject(Translation translation, long nanos) throws Exception {
        long start = threads.getCurrentThreadCpuTime();
        long count = 0;
        long spent = 0;
        while (spent < nanos) {
            for (int i = 0; i < 100; i++) {
                assertThat(translation.run().length).isPositive();
            }
            count += 100;
            spent = threads.getCurrentThreadCpuTime() - start;
        }
        return (double) spent / count;
    }
}
