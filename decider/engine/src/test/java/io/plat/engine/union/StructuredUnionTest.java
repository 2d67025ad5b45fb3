package io.plat.engine.union;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.engine.Decision.Allow;
import io.plat.engine.Decision.Cause;
import io.plat.engine.Decision.Deny;
import io.plat.engine.Decision.NoOpinion;
import io.plat.engine.Decision.Undecided;
import io.plat.engine.FixedGrant;
import io.plat.engine.FromMemory;
import io.plat.engine.always.AlwaysAllow;
import io.plat.engine.explain.ExplainedDecision;
import io.plat.review.Attributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.UserInfo;
import io.plat.review.explain.RuleListing;
import io.plat.review.explain.SubjectListing;
import io.plat.review.explain.UnexplainedAuthorizer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Kubernetes' structured rule: the first final opinion ends the evaluation. */
class StructuredUnionTest {
    private static final UserInfo JANE = new UserInfo("jane", List.of());
    private static final Attributes REQUEST = new Attributes(JANE, new NonResourceAttributes("/version", "get"));

    private final List<String> consulted = new ArrayList<>();

    /**
     * A member in a few letters: its finality ({@code a}llow, {@code d}eny, {@code f}ailure) and its opinion ({@code +} allows,
     * {@code -} denies, {@code 0} no opinion, {@code !} fails, {@code ?} throws).
     */
    private Member member(int position, String letters) {
        String name = "m" + position;
        Finality finality = switch (letters.charAt(0)) {
            case 'a' -> Finality.ALLOW;
            case 'd' -> Finality.DENY;
            case 'f' -> Finality.DENY_OR_FAILURE;
            default -> throw new IllegalArgumentException(letters);
        };
        Authorizer authorizer = new FromMemory(attributes -> {
            consulted.add(name);
            return opinion(name, letters.charAt(1));
        });
        return new Member(name, authorizer, finality);
    }

    private static Decision opinion(String name, char letter) {
        return switch (letter) {
            case '+' -> FixedGrant.allow(name, "test", name + " allows");
            case '-' -> new Deny(name + " denies");
            case '0' -> new NoOpinion(name + " knows nothing");
            case '!' -> new Undecided(Cause.FAILED, "away");
            case '?' -> throw new IllegalStateException("secret");
            default -> throw new IllegalArgumentException(String.valueOf(letter));
        };
    }

    private StructuredUnion union(String members) {
        List<Member> all = new ArrayList<>();
        for (String letters : members.split(" ", -1)) {
            all.add(member(all.size() + 1, letters));
        }
        return new StructuredUnion(all);
    }

    private static String describe(Decision decision) {
        String letter = switch (decision) {
            case Allow ignored -> "allow";
            case Deny ignored -> "deny";
            case NoOpinion ignored -> "none";
            case Undecided ignored -> "undecided";
        };
        return letter + " " + decision.reason();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        d+ a+     | 1 | allow m1 allows
        d0 a+     | 2 | allow m2 allows
        d- a+     | 1 | deny m1 denies
        f- a+     | 1 | deny m1 denies
        a- a+     | 2 | allow m2 allows
        a+ f-     | 1 | allow m1 allows
        d! a+     | 2 | allow m2 allows
        d? a+     | 2 | allow m2 allows
        f! a+     | 1 | undecided m1: away
        f? a+     | 1 | undecided m1: threw IllegalStateException
        a! a+     | 2 | allow m2 allows
        d! a0     | 2 | undecided m1: away
        d! f-     | 2 | deny m2 denies
        d! d! a+  | 3 | allow m3 allows
        d0 f0 a0  | 3 | none m1 knows nothing; m2 knows nothing; m3 knows nothing
        d0 a-     | 2 | deny m1 knows nothing; m2 denies
        d0 d- a+  | 2 | deny m2 denies
        d0 f! a+  | 2 | undecided m2: away
        """)
    void aFinalDecisionEndsTheUnion(String members, int count, String decision) {
        StructuredUnion union = union(members);
        assertThat(describe(union.authorize(REQUEST))).isEqualTo(decision);
        assertThat(consulted).hasSize(count);
        assertThat(union.decideFromMemory(REQUEST)).isEqualTo(union.authorize(REQUEST));
        ExplainedDecision explained = union.explain(REQUEST);
        assertThat(describe(explained.decision())).isEqualTo(decision);
        assertThat(explained.findings().grants().items()).hasSize(decision.startsWith("allow") ? 1 : 0);
    }

    @Test
    void theUnionOfModesHasNoVeto() {
        UnionAuthorizer modes = new UnionAuthorizer(List.of(member(1, "f-"), member(2, "f!"), member(3, "a+")));
        assertThat(describe(modes.authorize(REQUEST))).isEqualTo("allow m3 allows");
    }

    @Test
    void listingsMentionPossibleVetoes() {
        StructuredUnion union =
                new StructuredUnion(List.of(member(1, "d0"), new Member("all", new AlwaysAllow(), Finality.ALLOW)));
        RuleListing rules = union.rules(JANE, "a");
        assertThat(rules.resources()).isEqualTo(RuleListing.EVERYTHING.resources());
        assertThat(rules.unexplained())
                .containsExactly(
                        new UnexplainedAuthorizer("m1", "it cannot enumerate rules"),
                        new UnexplainedAuthorizer("m1", "it may deny what later authorizers allow"));
        SubjectListing subjects = union.subjects(REQUEST.access());
        assertThat(subjects.subjects().items()).hasSize(1);
        assertThat(subjects.unexplained())
                .contains(new UnexplainedAuthorizer("m1", "it may deny what later authorizers allow"));
    }

    @Test
    void decidesFromMemoryUpToTheFirstBlockingMember() {
        Member remote = new Member("remote", attributes -> Decision.NoOpinion.SILENT, Finality.ALLOW);
        assertThat(new StructuredUnion(List.of(member(1, "d-"), remote)).decideFromMemory(REQUEST))
                .isEqualTo(new Deny("m1 denies"));
        assertThat(new StructuredUnion(List.of(member(1, "a-"), remote)).decideFromMemory(REQUEST))
                .isNull();
    }
}
