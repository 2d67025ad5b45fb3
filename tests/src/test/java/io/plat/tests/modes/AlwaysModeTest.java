package io.plat.tests.modes;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.review.Attributes;
import io.plat.review.UserInfo;
import io.plat.review.source.ProblemsException;
import io.plat.tests.model.cases.CaseFiles;
import io.plat.tests.model.cases.PolicyCase;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** AlwaysAllow and AlwaysDeny, with the requests of all tables. */
final class AlwaysModeTest {
    private static final int AT_LEAST = 150;
    private static final Policy NONE = new Policy("", "", "");

    private static List<Attributes> all() throws IOException, ProblemsException {
        List<Attributes> requests = new ArrayList<>();
        for (String directory : List.of("abac", "rbac", "union")) {
            CaseFiles.of(directory)
                    .forEach(document ->
                            document.cases().stream().map(PolicyCase::request).forEach(requests::add));
        }
        return requests;
    }

    /** Every second one, except in full runs. */
    private static List<Attributes> some() throws IOException, ProblemsException {
        List<Attributes> all = all();
        int step = Boolean.getBoolean("plat.full") ? 1 : 2;
        return IntStream.range(0, all.size())
                .filter(i -> i % step == 0)
                .mapToObj(all::get)
                .toList();
    }

    @Test
    void alwaysAllowAllowsEverythingEvenAfterAlwaysDeny() throws IOException, ProblemsException {
        ModeServers.Modes modes =
                new ModeServers.Modes(List.of("AlwaysAllow"), List.of("AlwaysDeny", "Webhook"), List.of("AlwaysAllow"));
        try (ModeComparison comparison = new ModeComparison(modes)) {
            Authorizer engine = NONE.engine(modes.own());
            List<Attributes> requests = some();
            assertThat(requests).hasSizeGreaterThanOrEqualTo(AT_LEAST);
            ParallelChecks.each(
                    requests,
                    request -> assertThat(comparison.agreed(engine, request).allowed())
                            .isTrue());
        }
    }

    /** No user may send reviews to the server, which are requests themselves, so that the original requests are sent. */
    @Test
    void alwaysDenyAloneDeniesEverything() throws IOException, ProblemsException {
        List<String> only = List.of("AlwaysDeny");
        Authorizer engine = NONE.engine(only);
        try (ModeServers servers = new ModeServers(new ModeServers.Modes(only, List.of("Webhook"), only))) {
            AtomicInteger sent = new AtomicInteger();
            ParallelChecks.each(all(), request -> sent(servers, request, engine, sent));
            assertThat(sent.get()).isGreaterThanOrEqualTo(AT_LEAST);
            ParallelChecks.each(some(), request -> assertDecision(servers, request, engine));
        }
    }

    private static String refusal(Authorizer engine, Attributes request) {
        return ((Decision.Deny) engine.authorize(request)).reason();
    }

    private static void assertDecision(ModeServers servers, Attributes request, Authorizer engine) throws IOException {
        // In mode Webhook these pass before the webhook is called.
        boolean passes = request.user().groups().contains(UserInfo.MASTERS);
        if (ReviewServer.canReview(request) && !passes) {
            assertThat(servers.delegating().decide(request))
                    .as(request::toString)
                    .isEqualTo(new Answer(false, refusal(engine, request)));
        }
    }

    private static void sent(ModeServers servers, Attributes request, Authorizer engine, AtomicInteger sent)
            throws IOException {
        RealRequest real = RealRequest.of(request.access()).orElse(null);
        if (real != null) {
            HttpResponse<String> answer = servers.own().send(real.method(), real.path(), "{}");
            assertThat(answer.statusCode()).as("%s: %s", real, answer.body()).isEqualTo(403);
            assertThat(real.method().equals("HEAD") || answer.body().contains(refusal(engine, request)))
                    .as(answer.body())
                    .isTrue();
            sent.incrementAndGet();
        }
    }
}
