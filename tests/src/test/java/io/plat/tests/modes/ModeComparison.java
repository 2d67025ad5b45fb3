package io.plat.tests.modes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.review.Attributes;
import io.plat.review.UserInfo;
import io.plat.review.source.ProblemsException;
import io.plat.tests.model.RandomPolicies;
import io.plat.tests.model.cases.CaseFiles;
import io.plat.tests.model.cases.PolicyDocument;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/** Compares the decisions of the engine, a server and a delegating server. */
final class ModeComparison implements AutoCloseable {
    private static final boolean FULL = Boolean.getBoolean("plat.full");
    private static final int POLICIES = FULL ? 100 : 3;
    private static final int REQUESTS = FULL ? 200 : 30;
    private static final int LISTED = 15;

    private final ModeServers servers;
    private final List<String> modes;

    ModeComparison(ModeServers.Modes modes) throws IOException {
        this.servers = new ModeServers(modes);
        this.modes = modes.own();
    }

    /**
     * Returns every case of a directory.
     *
     * @param policy returns the policy of a document
     */
    Stream<DynamicTest> cases(String directory, Function<PolicyDocument, Policy> policy)
            throws IOException, ProblemsException {
        return CaseFiles.of(directory).stream()
                .filter(document -> document.problems().isEmpty())
                .map(document -> dynamicTest(document.where(), () -> decideAll(document, policy.apply(document))));
    }

    private void decideAll(PolicyDocument document, Policy policy) throws IOException, ProblemsException {
        servers.decideBy(policy);
        Authorizer engine = policy.engine(modes);
        ParallelChecks.each(document.cases(), each -> {
            // The tables are about the mode alone; in a server these users pass before any mode is consulted.
            boolean passes = each.request().user().groups().contains(UserInfo.MASTERS);
            assertThat(agreed(engine, each.request()).allowed())
                    .as("%s: %s", each.name(), each.cause())
                    .isEqualTo(passes || each.allowed());
        });
    }

    /** Random policies, with the same requests to all three. */
    void random(Function<RandomPolicies, Policy> policies) throws IOException, ProblemsException {
        long seed = Long.getLong("plat.seed", System.nanoTime());
        System.out.println("random policies of " + modes + ": -Dplat.seed=" + seed);
        RandomPolicies random = new RandomPolicies(seed);
        for (int i = 0; i < POLICIES; i++) {
            Policy policy = policies.apply(random);
            servers.decideBy(policy);
            Authorizer engine = policy.engine(modes);
            List<Attributes> requests = random.requests(REQUESTS);
            ParallelChecks.each(requests, request -> agreed(engine, request));
            ParallelChecks.each(requests.subList(0, LISTED), request -> sameRules(request.user()));
        }
    }

    /** The rules of a user are identical, and complete, through the webhook and in the server itself. */
    private void sameRules(UserInfo user) throws IOException {
        if (!user.name().isEmpty()) {
            for (String namespace : List.of("a", "b")) {
                Set<String> own = servers.own().rules(user, namespace);
                assertThat(own)
                        .as(user::toString)
                        .containsAnyOf("incomplete: false", modes.contains("RBAC") ? "" : "may not ask for its rules");
                assertThat(servers.delegating().rules(user, namespace))
                        .as(user::toString)
                        .isEqualTo(own);
            }
        }
    }

    /** Returns the common decision of all three. */
    Answer agreed(Authorizer engine, Attributes request) throws IOException {
        Answer answer = of(engine.authorize(request));
        if (ReviewServer.canReview(request)) {
            assertThat(servers.own().decide(request)).as(request::toString).isEqualTo(answer);
            assertThat(servers.delegating().decide(request))
                    .as(request::toString)
                    .isEqualTo(answer);
        }
        return answer;
    }

    private static Answer of(Decision decision) {
        return switch (decision) {
            case Decision.Allow _ -> new Answer(true, "");
            case Decision.Deny deny -> new Answer(false, deny.reason());
            case Decision.NoOpinion none -> new Answer(false, none.reason());
            case Decision.Undecided undecided -> throw new AssertionError("undecided: " + undecided.reason());
        };
    }

    @Override
    public void close() {
        servers.close();
    }
}
