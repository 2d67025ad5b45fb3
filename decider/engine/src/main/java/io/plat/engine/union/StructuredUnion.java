package io.plat.engine.union;

import io.plat.engine.Decision;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;

/**
 * The union of Kubernetes' structured configuration, where a webhook has a veto over those behind it. Not the union of modes, which has
 * no veto ({@link UnionAuthorizer}). A member behind the one that decides has no say, and is not called for an explanation.
 */
public final class StructuredUnion extends OrderedAuthorizers {
    /** A union of these members, in this order. */
    public StructuredUnion(List<StructuredMember> members) {
        this(members, (member, decision) -> {});
    }

    /**
     * A union of these members, in this order.
     *
     * @param decided is notified of each decision that one member made for all, and whose it is
     */
    public StructuredUnion(List<StructuredMember> members, BiConsumer<Member, Decision> decided) {
        super(members, Objects.requireNonNull(decided), new MemberCalls(System::nanoTime));
    }

    @Override
    boolean explainsAll() {
        return false;
    }
}
