package io.plat.engine.union;

import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.engine.Decision.Allow;
import io.plat.engine.Decision.Cause;
import io.plat.engine.Decision.Undecided;
import io.plat.engine.explain.Explained;
import io.plat.engine.explain.Explainer;
import io.plat.engine.explain.Merged;
import io.plat.engine.explain.Rules;
import io.plat.engine.explain.Subjects;
import io.plat.review.AccessAttributes;
import io.plat.review.Attributes;
import io.plat.review.UserInfo;
import io.plat.review.explain.Bounded;
import io.plat.review.explain.Findings;
import io.plat.review.explain.RuleListing;
import io.plat.review.explain.SubjectListing;
import io.plat.review.explain.Unexplained;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The union of authorizers; see the package for what it decides. */
public final class UnionAuthorizer implements Authorizer, Explainer {
    private final List<Member> members;
    private final boolean fromMemory;
    private final FailureLog failures;

    /** The union of the members, asked in this order. */
    public UnionAuthorizer(List<Member> members) {
        this(members, System::nanoTime);
    }

    /**
     * The same with a clock of its own.
     *
     * @param nanoTime nanoseconds that only grow; limits how often a failing member is logged
     */
    UnionAuthorizer(List<Member> members, LongSupplier nanoTime) {
        this(members, new FailureLog(nanoTime));
    }

    private UnionAuthorizer(List<Member> members, FailureLog failures) {
        if (members.isEmpty()) {
            throw new IllegalArgumentException("a union needs a member");
        }
        this.members = List.copyOf(members);
        this.fromMemory =
                members.stream().allMatch(member -> member.authorizer().decidesFromMemory());
        this.failures = failures;
    }

    /** The same union with another authorizer in the place of each member that has this one's name. */
    public UnionAuthorizer with(Member replacement) {
        return new UnionAuthorizer(
                members.stream()
                        .map(member -> member.name().equals(replacement.name()) ? replacement : member)
                        .toList(),
                failures);
    }

    @Override
    public Decision authorize(Attributes attributes) {
        Refusals refusals = new Refusals();
        for (int i = 0; i < members.size(); i++) {
            Member member = members.get(i);
            Decision decision = ask(member, attributes);
            if (decision instanceof Allow) {
                return decision;
            }
            refusals.add(member, decision);
        }
        return refusals.together();
    }

    @Override
    public boolean decidesFromMemory() {
        return fromMemory;
    }

    /**
     * {@inheritDoc}
     *
     * <p>Every member is asked, also behind one that allows: each may have a grant.
     */
    @Override
    public Explained explain(Attributes attributes) {
        Refusals refusals = new Refusals();
        Merged merged = new Merged();
        Allow first = null;
        for (Member member : members) {
            Explained explained = explanation(member, attributes);
            merged.add(explained.findings());
            if (!(explained.decision() instanceof Allow allow)) {
                refusals.add(member, explained.decision());
            } else if (first == null) {
                first = allow;
            }
        }
        return merged.with(first == null ? refusals.together() : first);
    }

    private Explained explanation(Member member, Attributes attributes) {
        try {
            return Explainer.of(member.name(), member.authorizer()).explain(attributes);
        } catch (RuntimeException | LinkageError | StackOverflowError e) {
            Undecided undecided = failed(member, e);
            return new Explained(undecided, unexplained(new Unexplained(member.name(), undecided.reason())));
        }
    }

    private static Findings unexplained(Unexplained member) {
        return new Findings(Bounded.none(), Bounded.none(), null, List.of(member));
    }

    @Override
    public SubjectListing subjects(AccessAttributes access) {
        Subjects subjects = new Subjects();
        List<Unexplained> unexplained = new ArrayList<>();
        long leftOut = 0;
        for (Member member : members) {
            SubjectListing listing = listing(member, access);
            subjects.addAll(listing.subjects().items());
            leftOut += listing.subjects().leftOut();
            unexplained.addAll(listing.unexplained());
        }
        return subjects.listing(leftOut, unexplained);
    }

    private SubjectListing listing(Member member, AccessAttributes access) {
        try {
            return Explainer.of(member.name(), member.authorizer()).subjects(access);
        } catch (RuntimeException | LinkageError | StackOverflowError e) {
            String why = failed(member, e).reason();
            return new SubjectListing(Bounded.none(), List.of(new Unexplained(member.name(), why)));
        }
    }

    @Override
    public RuleListing rules(UserInfo user, String namespace) {
        Rules rules = new Rules();
        for (Member member : members) {
            rules.addAll(rulesOf(member, user, namespace));
        }
        return rules.listing();
    }

    private RuleListing rulesOf(Member member, UserInfo user, String namespace) {
        try {
            return Explainer.of(member.name(), member.authorizer()).rules(user, namespace);
        } catch (RuntimeException | LinkageError | StackOverflowError e) {
            return Rules.unknown(member.name(), failed(member, e).reason());
        }
    }

    private Decision ask(Member member, Attributes attributes) {
        try {
            @Nullable Decision decision = member.authorizer().authorize(attributes);
            return decision == null ? failed(member, new NullPointerException("no decision")) : decision;
        } catch (RuntimeException | LinkageError | StackOverflowError e) {
            // A plug-in is somebody else's code: its bugs, and classes that it lacks, must not become an answer.
            return failed(member, e);
        }
    }

    private Undecided failed(Member member, Throwable failure) {
        failures.log(member.name(), failure);
        return new Undecided(Cause.FAILED, "threw " + failure.getClass().getSimpleName());
    }
}
