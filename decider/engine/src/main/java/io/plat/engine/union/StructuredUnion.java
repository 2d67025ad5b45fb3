package io.plat.engine.union;

import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.engine.Decision.Allow;
import io.plat.engine.Decision.Cause;
import io.plat.engine.Decision.Deny;
import io.plat.engine.Decision.NoOpinion;
import io.plat.engine.Decision.Undecided;
import io.plat.engine.explain.Explained;
import io.plat.engine.explain.Explainer;
import io.plat.engine.explain.Merged;
import io.plat.engine.explain.Rules;
import io.plat.engine.explain.Subjects;
import io.plat.review.AccessAttributes;
import io.plat.review.Attributes;
import io.plat.review.UserInfo;
import io.plat.review.explain.RuleListing;
import io.plat.review.explain.SubjectListing;
import io.plat.review.explain.Unexplained;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Authorizers that are asked in their order until one says something final: the rule of the field's structured configuration, where
 * a webhook has a veto over those behind it. Not the union of modes, which has no veto ({@link UnionAuthorizer}).
 *
 * <p>Where nobody says anything final: if a member failed, it can't be told; else it is refused with every member's reason.
 */
public final class StructuredUnion implements Authorizer, Explainer {
    private final List<StructuredMember> members;
    private final BiConsumer<Member, Decision> decided;
    private final Asker asker = new Asker(System::nanoTime);

    /** Asks the members in this order. */
    public StructuredUnion(List<StructuredMember> members) {
        this(members, (member, decision) -> {});
    }

    /**
     * Asks the members in this order.
     *
     * @param decided hears of each decision that one member made for all, and whose it is
     */
    public StructuredUnion(List<StructuredMember> members, BiConsumer<Member, Decision> decided) {
        if (members.isEmpty()) {
            throw new IllegalArgumentException("a union needs a member");
        }
        this.members = List.copyOf(members);
        this.decided = Objects.requireNonNull(decided);
    }

    @Override
    public Decision authorize(Attributes attributes) {
        Refusals refusals = new Refusals();
        for (StructuredMember one : members) {
            Decision decision = asker.ask(one.member(), attributes);
            if (isFinal(one, decision)) {
                return heard(one, decision);
            }
            refusals.add(one.member(), decision);
        }
        return refusals.together();
    }

    private Decision heard(StructuredMember one, Decision decision) {
        decided.accept(one.member(), decision);
        return named(one, decision);
    }

    private static boolean isFinal(StructuredMember one, Decision decision) {
        return switch (decision) {
            case Allow ignored -> true;
            case Deny ignored -> one.finality() != Finality.ALLOW;
            case Undecided ignored -> one.finality() == Finality.DENY_OR_FAILURE;
            case NoOpinion ignored -> false;
        };
    }

    /** Who could not tell has to be told; a denial has its own words. */
    private static Decision named(StructuredMember one, Decision decision) {
        return decision instanceof Undecided(Cause cause, String reason)
                ? new Undecided(cause, one.member().name() + ": " + reason)
                : decision;
    }

    @Override
    public @Nullable Decision decideFromMemory(Attributes attributes) {
        Refusals refusals = new Refusals();
        for (StructuredMember one : members) {
            Decision decision = asker.askMemory(one.member(), attributes);
            if (decision == null) {
                return null;
            }
            if (isFinal(one, decision)) {
                return heard(one, decision);
            }
            refusals.add(one.member(), decision);
        }
        return refusals.together();
    }

    /**
     * {@inheritDoc}
     *
     * <p>Who stands behind the member that decides is not asked: it has no say.
     */
    @Override
    public Explained explain(Attributes attributes) {
        Refusals refusals = new Refusals();
        Merged merged = new Merged();
        for (StructuredMember one : members) {
            Explained explained = asker.explain(one.member(), attributes);
            merged.add(explained.findings());
            if (isFinal(one, explained.decision())) {
                return merged.with(named(one, explained.decision()));
            }
            refusals.add(one.member(), explained.decision());
        }
        return merged.with(refusals.together());
    }

    @Override
    public SubjectListing subjects(AccessAttributes access) {
        Subjects subjects = new Subjects();
        for (StructuredMember one : members) {
            subjects.addAll(asker.subjects(one.member(), access));
            subjects.addUnexplained(veto(one));
        }
        return subjects.listing();
    }

    @Override
    public RuleListing rules(UserInfo user, String namespace) {
        Rules rules = new Rules();
        List<Unexplained> vetoes = new ArrayList<>();
        for (StructuredMember one : members) {
            rules.addAll(asker.rules(one.member(), user, namespace));
            vetoes.addAll(veto(one));
        }
        return rules.listing(vetoes);
    }

    /** What a listing can't say: of what those behind this member allow, it may refuse some. */
    private List<Unexplained> veto(StructuredMember one) {
        boolean last = one.equals(members.getLast());
        return one.finality() == Finality.ALLOW || last
                ? List.of()
                : List.of(new Unexplained(one.member().name(), "it may deny what those behind it allow"));
    }
}
