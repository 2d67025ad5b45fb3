package io.plat.engine.union;

import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.engine.Decision.Cause;
import io.plat.engine.Decision.Undecided;
import io.plat.engine.explain.ExplainedDecision;
import io.plat.engine.explain.Explainer;
import io.plat.engine.explain.MergedFindings;
import io.plat.engine.explain.RuleCollector;
import io.plat.engine.explain.SubjectCollector;
import io.plat.review.AccessAttributes;
import io.plat.review.Attributes;
import io.plat.review.UserInfo;
import io.plat.review.explain.RuleListing;
import io.plat.review.explain.SubjectListing;
import io.plat.review.explain.UnexplainedAuthorizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Authorizers that are called in order until the decision of one is final. If none is, the union is undecided if a member failed, and else refuses
 * with the reasons of all members. Each member has its own {@link Finality}, so that a webhook of Kubernetes' structured configuration can veto the
 * members after it; in a union of modes ({@link UnionAuthorizer}) none can.
 */
public sealed class StructuredUnion implements Authorizer, Explainer permits UnionAuthorizer {
    private final List<Member> members;
    private final BiConsumer<Member, Decision> decided;
    private final MemberCalls calls;

    /** Creates a union of members, in order. */
    public StructuredUnion(List<Member> members) {
        this(members, (member, decision) -> {});
    }

    /**
     * Creates a union of members, in order.
     *
     * @param decided notified of each final decision and its member
     */
    public StructuredUnion(List<Member> members, BiConsumer<Member, Decision> decided) {
        this(members, decided, new MemberCalls(System::nanoTime));
    }

    StructuredUnion(List<Member> members, BiConsumer<Member, Decision> decided, MemberCalls calls) {
        if (members.isEmpty()) {
            throw new IllegalArgumentException("a union needs a member");
        }
        this.members = List.copyOf(members);
        this.decided = decided;
        this.calls = calls;
    }

    final List<Member> members() {
        return members;
    }

    final MemberCalls calls() {
        return calls;
    }

    @Override
    public Decision authorize(Attributes attributes) {
        return Objects.requireNonNull(
                decide(member -> Objects.requireNonNull(member.authorizer().authorize(attributes), "no decision")));
    }

    @Override
    public @Nullable Decision decideFromMemory(Attributes attributes) {
        return decide(member -> member.authorizer().decideFromMemory(attributes));
    }

    @Override
    public boolean allowsFromMemory(Attributes attributes) {
        return members.stream().anyMatch(member -> member.authorizer().allowsFromMemory(attributes));
    }

    /** Calls the members until a decision is final; returns null if one makes none. */
    private @Nullable Decision decide(Function<Member, @Nullable Decision> call) {
        Refusals refusals = new Refusals();
        for (int i = 0; i < members.size(); i++) {
            Member one = members.get(i);
            Decision decision = calls.<@Nullable Decision>of(one, call, undecided -> undecided);
            if (decision == null) {
                return null;
            }
            if (one.finality().isFinal(decision)) {
                return finalDecision(one, decision);
            }
            refusals.add(one, decision);
        }
        return refusals.combined();
    }

    private Decision finalDecision(Member one, Decision decision) {
        decided.accept(one, decision);
        return named(one, decision);
    }

    /** Returns the decision with the member's name in the reason of a failure. */
    private static Decision named(Member one, Decision decision) {
        return decision instanceof Undecided(Cause cause, String reason)
                ? new Undecided(cause, one.name() + ": " + reason)
                : decision;
    }

    /** Returns whether members after the deciding one are called for an explanation; in a structured union they are irrelevant. */
    boolean explainsAll() {
        return false;
    }

    @Override
    public ExplainedDecision explain(Attributes attributes) {
        Refusals refusals = new Refusals();
        MergedFindings merged = new MergedFindings();
        Decision first = null;
        for (Member one : members) {
            ExplainedDecision explained = calls.of(
                    one,
                    member -> member.explainer().explain(attributes),
                    undecided -> ExplainedDecision.unexplained(undecided, one.unexplained(undecided.reason())));
            Decision decision = explained.decision();
            merged.add(explained.findings());
            if (!one.finality().isFinal(decision)) {
                refusals.add(one, decision);
            } else if (first == null) {
                first = named(one, decision);
            }
            if (first != null && !explainsAll()) {
                break;
            }
        }
        return merged.with(first == null ? refusals.combined() : first);
    }

    @Override
    public SubjectListing subjects(AccessAttributes access) {
        SubjectCollector subjects = new SubjectCollector();
        for (Member one : members) {
            subjects.addAll(calls.of(
                    one,
                    member -> member.explainer().subjects(access),
                    undecided -> SubjectListing.unknown(one.unexplained(undecided.reason()))));
            subjects.addUnexplained(veto(one));
        }
        return subjects.listing();
    }

    @Override
    public RuleListing rules(UserInfo user, String namespace) {
        RuleCollector rules = new RuleCollector();
        List<UnexplainedAuthorizer> vetoes = new ArrayList<>();
        for (Member one : members) {
            rules.addAll(calls.of(
                    one,
                    member -> member.explainer().rules(user, namespace),
                    undecided -> RuleListing.unknown(one.unexplained(undecided.reason()))));
            vetoes.addAll(veto(one));
        }
        return rules.listing(vetoes);
    }

    /** Returns the reason why a listing is incomplete: this member may deny what later ones allow. */
    private List<UnexplainedAuthorizer> veto(Member one) {
        boolean last = one.equals(members.getLast());
        return one.finality() == Finality.ALLOW || last
                ? List.of()
                : List.of(one.unexplained("it may deny what later authorizers allow"));
    }
}
