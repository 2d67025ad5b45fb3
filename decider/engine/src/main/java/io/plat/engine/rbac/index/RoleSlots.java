package io.plat.engine.rbac.index;

import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

/** Roles by number: an immutable array in chunks, so that changing a role copies one chunk and touches no binding. */
final class RoleSlots {
    static final RoleSlots EMPTY = new RoleSlots(new CompiledRole[0][]);

    private static final int BITS = 8;
    private static final int PIECE = 1 << BITS;

    private final CompiledRole[][] pieces;

    private RoleSlots(CompiledRole[][] pieces) {
        this.pieces = pieces;
    }

    CompiledRole get(int id) {
        return pieces[id >>> BITS][id & (PIECE - 1)];
    }

    RoleSlots with(Collection<CompiledRole> roles) {
        if (roles.isEmpty()) {
            return this;
        }
        int last = roles.stream().mapToInt(CompiledRole::id).max().orElseThrow();
        CompiledRole[][] changed = Arrays.copyOf(pieces, Math.max(pieces.length, (last >>> BITS) + 1));
        Set<Integer> copied = new HashSet<>();
        for (CompiledRole role : roles) {
            int piece = role.id() >>> BITS;
            if (piece >= pieces.length && changed[piece] == null) {
                changed[piece] = new CompiledRole[PIECE];
            } else if (piece < pieces.length && copied.add(piece)) {
                changed[piece] = changed[piece].clone();
            }
            changed[piece][role.id() & (PIECE - 1)] = role;
        }
        return new RoleSlots(changed);
    }
}
