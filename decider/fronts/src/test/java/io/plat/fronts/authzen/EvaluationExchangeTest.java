package io.plat.fronts.authzen;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.engine.always.AlwaysAllow;
import io.plat.engine.policy.PolicySet;
import io.plat.fronts.ClientIdentity;
import io.plat.fronts.Decisions;
import io.plat.fronts.Intake;
import io.plat.http.InFlightLimit;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EvaluationExchangeTest {
    private static final Mapping MAPPED =
            new MappedTypes(new MappedTypes.Rows(Map.of(), Map.of()), Expression.budget(false));

    private final AtomicInteger threads = new AtomicInteger();
    private final AtomicInteger failures = new AtomicInteger();
    private final Decisions decisions = new Decisions(
            () -> new PolicySet("1", new AlwaysAllow(), new PolicySet.Size(0, 0, 0), Instant.EPOCH, List.of()),
            step -> threads.incrementAndGet(),
            fake(Decisions.Recorder.class),
            new ClientIdentity.ReasonPolicy(true, Set.of()));

    /** A fake whose methods do nothing, with the header fields of a started response. */
    private <T> T fake(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, given) -> {
            if (type == Callback.class && method.getName().equals("failed")) {
                failures.incrementAndGet();
            }
            Class<?> returned = method.getReturnType();
            if (returned == HttpFields.Mutable.class || returned == HttpFields.class) {
                return HttpFields.build();
            }
            return returned == boolean.class ? (Object) method.getName().equals("isCommitted") : null;
        }));
    }

    private EvaluationExchange exchange(Mapping mapping, boolean many) {
        return new EvaluationExchange(
                decisions,
                mapping,
                many,
                new Intake.Exchange(
                        fake(Request.class),
                        fake(Response.class),
                        fake(Callback.class),
                        Objects.requireNonNull(new InFlightLimit(0).acquire("a"))));
    }

    @ParameterizedTest
    @CsvSource({"64,false,0", "65,false,1", "1000,false,1", "1,true,1"})
    void manyOrMappedEvaluationsRunOnAnotherThread(int evaluations, boolean mapped, int expected) {
        byte[] body = ("{\"evaluations\":[" + "{},".repeat(evaluations - 1) + "{}]}").getBytes(StandardCharsets.UTF_8);
        exchange(mapped ? MAPPED : Mapping.DEFAULT, true).received(body, body.length);
        assertThat(threads).hasValue(expected);
    }

    @Test
    void onlyTheFirstOfSeveralFailuresIsAnswered() {
        Intake.Exchange exchange = exchange(Mapping.DEFAULT, true).http();
        for (String bug : List.of("one", "another")) {
            exchange.runDetached(() -> {
                throw new IllegalStateException(bug);
            });
        }
        assertThat(failures).hasValue(1);
    }
}
