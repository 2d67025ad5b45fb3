package io.plat.client.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

final class AddressHealthTest {
    private static final Duration FIRST = Duration.ofMillis(100);
    private static final Duration RAMP = Duration.ofSeconds(5);
    private final AtomicLong now = new AtomicLong(-50);
    private final AddressHealth health = health(now);

    private static AddressHealth health(AtomicLong clock) {
        return new AddressHealth(new AddressHealth.Timing(new Backoff(FIRST, 2, 0.5, 4), RAMP, clock::get, () -> 0));
    }

    private void pass(Duration time) {
        now.addAndGet(time.toNanos());
    }

    @Test
    void anAddressWithoutFailuresHasItsFullShare() {
        assertThat(health.isAvailable()).isTrue();
        assertThat(health.share()).isEqualTo(1);
        assertThat(health.beginProbe()).as("no probe is due").isFalse();
        health.answered();
        assertThat(health.share()).isEqualTo(1);
    }

    @Test
    void theFirstFailureEjectsTheAddress() {
        health.failed(false);
        assertThat(health.isAvailable()).isFalse();
        assertThat(health.beginProbe()).as("not yet").isFalse();
        pass(FIRST);
        assertThat(health.isAvailable()).as("a probe is due").isFalse();
        assertThat(health.beginProbe()).isTrue();
        assertThat(health.beginProbe()).as("one probe at a time").isFalse();
    }

    @Test
    void consecutiveRefusalsEjectTheAddressUnlessItIsTheOnlyOne() {
        for (int i = 0; i < 20; i++) {
            health.refused(false, false);
        }
        assertThat(health.isAvailable()).as("the only one").isTrue();
        health.answered();
        for (int i = 1; i < AddressHealth.MAX_REFUSALS; i++) {
            health.refused(false, true);
        }
        assertThat(health.isAvailable()).isTrue();
        health.refused(false, true);
        assertThat(health.isAvailable()).isFalse();
        pass(FIRST);
        assertThat(health.beginProbe()).isTrue();
        health.refused(true, true);
        assertThat(health.isAvailable()).as("a refused probe").isFalse();
        pass(FIRST.multipliedBy(2));
        assertThat(health.beginProbe()).isTrue();
        health.refused(true, false);
        assertThat(health.isAvailable()).as("the others have failed").isTrue();
    }

    @Test
    void failuresOfEarlierRequestsAreIgnored() {
        health.failed(false);
        for (int i = 0; i < 20; i++) {
            health.failed(false);
        }
        pass(FIRST);
        assertThat(health.beginProbe()).isTrue();
        health.failed(false);
        assertThat(health.beginProbe()).as("the probe is in progress").isFalse();
    }

    @Test
    void eachFailedProbeDelaysTheNextOneUpToALimit() {
        health.failed(false);
        for (int wait : List.of(100, 200, 400, 800, 800, 800)) {
            pass(Duration.ofMillis(wait).minusNanos(1));
            assertThat(health.beginProbe()).as("before %d ms", wait).isFalse();
            pass(Duration.ofNanos(1));
            assertThat(health.beginProbe()).as("after %d ms", wait).isTrue();
            health.failed(true);
        }
    }

    @Test
    void aRecoveredAddressReceivesAGrowingShare() {
        health.failed(false);
        pass(FIRST);
        assertThat(health.beginProbe()).isTrue();
        health.answered();
        assertThat(health.isAvailable()).isTrue();
        assertThat(health.share()).isEqualTo(0.1, within(1e-9));
        pass(RAMP.dividedBy(2));
        health.answered();
        assertThat(health.share()).isEqualTo(0.55, within(1e-9));
        pass(RAMP);
        assertThat(health.share()).isEqualTo(1);
        health.answered();
        health.failed(false);
        pass(FIRST);
        assertThat(health.beginProbe()).as("forgiven").isTrue();
    }

    @Test
    void aFailureSoonAfterRecoveryDelaysTheNextProbe() {
        health.failed(false);
        pass(FIRST);
        assertThat(health.beginProbe()).isTrue();
        health.answered();
        health.failed(false);
        pass(FIRST);
        assertThat(health.beginProbe()).isFalse();
        pass(FIRST);
        assertThat(health.beginProbe()).isTrue();
    }

    @Test
    void anAbandonedProbeMayBeRepeated() {
        health.failed(false);
        pass(FIRST);
        assertThat(health.beginProbe()).isTrue();
        health.abandonProbe();
        assertThat(health.isAvailable()).isFalse();
        assertThat(health.beginProbe()).isTrue();
    }

    @Test
    void oneOfManyRequestsIsTheProbe() {
        health.failed(false);
        pass(FIRST);
        AtomicInteger tried = new AtomicInteger();
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            for (int i = 0; i < 1000; i++) {
                threads.execute(() -> tried.addAndGet(health.beginProbe() ? 1 : 0));
            }
        }
        assertThat(tried).hasValue(1);
    }

    /** After any events: available or ejected, with a share from 0 to 1, and never two concurrent probes. */
    @Property
    void invariantsHoldForAnySequence(@ForAll @Size(max = 200) List<@IntRange(max = 4) Integer> steps) {
        AtomicLong clock = new AtomicLong();
        AddressHealth tested = health(clock);
        boolean trying = false;
        for (int step : steps) {
            switch (step) {
                case 0 -> clock.addAndGet(Duration.ofMillis(150).toNanos());
                case 1 -> {
                    tested.answered();
                    trying = false;
                }
                case 2 -> tested.failed(false);
                case 3 -> {
                    boolean begun = tested.beginProbe();
                    assertThat(begun && (trying || tested.isAvailable())).isFalse();
                    trying |= begun;
                }
                default -> {
                    if (trying) {
                        tested.failed(true);
                        assertThat(tested.isAvailable()).isFalse();
                        trying = false;
                    }
                }
            }
            assertThat(tested.share()).isBetween(0.1, 1.0);
        }
    }
}
