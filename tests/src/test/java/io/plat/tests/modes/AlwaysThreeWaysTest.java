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
import org.junit.jupiter.api.Test;

/** The modes that look at nothing, asked every request of all tables. */
final class AlwaysThreeWaysTest {
    private static final int AT_LEAST = 150;
    private static final Policy NONE = new Policy("", "", "");

    private static List<Attributes> requests() throws IOException, ProblemsException {
        List<Attributes> requests = new ArrayList<>();
        for (String folder : List.of("abac", "rbac", "union")) {
            CaseFiles.of(folder)
                    .forEach(document ->
                            document.cases().stream().map(PolicyCase::request).forEach(requests::add));
        }
        return requests;
    }

    @Test
    void alwaysAllowAllowsEverythingAlsoBehindAlwaysDeny() throws IOException, ProblemsException {
        ModeServers.Modes modes =
                new ModeServers.Modes(List.of("AlwaysAllow"), List.of("AlwaysDeny", "Webhook"), List.of("AlwaysAllow"));
        try (ThreeWays ways = new ThreeWays(modes)) {
            Authorizer engine = NONE.engine(modes.own());
            List<Attributes> requests = requests();
            assertThat(requests).hasSizeGreaterThanOrEqualTo(AT_LEAST);
            for (Attributes request : requests) {
                assertThat(ways.agreed(engine, request).allowed()).isTrue();
            }
        }
    }

    /** Nobody may ask the server itself for a review, which is a request like any other: it is sent the requests themselves. */
    @Test
    void alwaysDenyAloneRefusesEverythingToEverybody() throws IOException, ProblemsException {
        List<String> only = List.of("AlwaysDeny");
        Authorizer engine = NONE.engine(only);
        try (ModeServers servers = new ModeServers(new ModeServers.Modes(only, List.of("Webhook"), only))) {
            int sent = 0;
            for (Attributes request : requests()) {
                Decision.Deny refusal = (Decision.Deny) engine.authorize(request);
                // In mode Webhook these pass before anybody is asked.
                boolean passes = request.user().groups().contains(UserInfo.MASTERS);
                if (AskedServer.canAsk(request) && !passes) {
                    assertThat(servers.delegating().ask(request))
                            .as(request::toString)
                            .isEqualTo(new Answer(false, refusal.reason()));
                }
                RealRequest real = RealRequest.of(request.access()).orElse(null);
                if (real != null) {
                    HttpResponse<String> answer = servers.own().send(real.method(), real.path(), "{}");
                    assertThat(answer.statusCode())
                            .as("%s: %s", real, answer.body())
                            .isEqualTo(403);
                    assertThat(real.method().equals("HEAD") || answer.body().contains(refusal.reason()))
                            .as(answer.body())
                            .isTrue();
                    sent++;
                }
            }
            assertThat(sent).isGreaterThanOrEqualTo(AT_LEAST);
        }
    }
}
