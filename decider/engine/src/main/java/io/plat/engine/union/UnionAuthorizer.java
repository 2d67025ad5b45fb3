package io.plat.engine.union;

import io.plat.engine.explain.CompositeAuthorizer;
import io.plat.engine.explain.Explainer;
import io.plat.engine.explain.PolicyNames;
import io.plat.review.AccessAttributes;
import io.plat.review.explain.SubjectName;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.LongSupplier;

/** The union of modes; see the package for its semantics. Every member is called for an explanation, as each may have a grant. */
public final class UnionAuthorizer extends StructuredUnion implements CompositeAuthorizer {
    private final List<Member> members;
    private final MemberCalls calls;

    /** The union of the members, called in this order. */
    public UnionAuthorizer(List<Member> members) {
        this(members, System::nanoTime);
    }

    /**
     * The same with a clock of its own.
     *
     * @param nanoTime nanoseconds that only grow; limits how often a failing member is logged
     */
    UnionAuthorizer(List<Member> members, LongSupplier nanoTime) {
        this(members, new MemberCalls(nanoTime));
    }

    private UnionAuthorizer(List<Member> members, MemberCalls calls) {
        super(
                members.stream()
                        .map(member -> new StructuredMember(member, Finality.ALLOW))
                        .toList(),
                (member, decision) -> {},
                calls);
        this.members = List.copyOf(members);
        this.calls = calls;
    }

    /** The same union with another authorizer in the place of each member that has this one's name. */
    public UnionAuthorizer with(Member replacement) {
        return new UnionAuthorizer(
                members.stream()
                        .map(member -> member.name().equals(replacement.name()) ? replacement : member)
                        .toList(),
                calls);
    }

    @Override
    boolean explainsAll() {
        return true;
    }

    @Override
    public List<Part> parts() {
        return members.stream()
                .map(member -> new Part(member.name(), member.authorizer()))
                .toList();
    }

    @Override
    public PolicyNames names() {
        PolicyNames names = PolicyNames.NONE;
        for (Member member : members) {
            names = names.and(Explainer.of(member.name(), member.authorizer()).names());
        }
        return names;
    }

    @Override
    public SortedSet<SubjectName> holders(Collection<? extends AccessAttributes> any) {
        SortedSet<SubjectName> all = new TreeSet<>();
        for (Member member : members) {
            all.addAll(Explainer.of(member.name(), member.authorizer()).holders(any));
        }
        return all;
    }
}
