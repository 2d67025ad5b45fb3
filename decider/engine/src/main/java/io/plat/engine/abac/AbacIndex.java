package io.plat.engine.abac;

import io.plat.engine.Decision;
import io.plat.engine.lookup.ShardedMap;
import io.plat.review.ApiGroups;
import io.plat.review.Attributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.UserInfo;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A policy compiled for deciding. Lines are kept by the subject that they ask for (everybody, a user, a group, a user within a
 * group), and under each by what they cover, so that a decision looks at tables and never at lines: its cost depends on
 * the number of the user's groups only. Immutable; a decision takes no lock and allocates nothing.
 */
public final class AbacIndex implements PolicyLines {
    /** A policy without lines. */
    public static final AbacIndex EMPTY = of(new AbacPolicy(List.of()));

    private final List<Decision.Allow> allows;
    private final Lines everybody;
    private final ShardedMap<String, UserLines> users;
    private final ShardedMap<String, Lines> groups;

    private AbacIndex(Builder builder) {
        this.allows = builder.policy.lines().stream()
                .map(line -> new Decision.Allow(new AbacGrant(line)))
                .toList();
        this.everybody = builder.everybody.build();
        Map<String, UserLines> byUser = new HashMap<>();
        builder.users.forEach((user, lines) -> byUser.put(user, lines.build()));
        this.users = ShardedMap.of(byUser);
        Map<String, Lines> byGroup = new HashMap<>();
        builder.groups.forEach((group, lines) -> byGroup.put(group, lines.build()));
        this.groups = ShardedMap.of(byGroup);
    }

    /** Compiles a policy. */
    public static AbacIndex of(AbacPolicy policy) {
        Builder builder = new Builder(policy);
        for (int position = 0; position < policy.lines().size(); position++) {
            builder.add(position, policy.lines().get(position));
        }
        return new AbacIndex(builder);
    }

    @Override
    public List<Decision.Allow> allows() {
        return allows;
    }

    @Override
    public Decision.@Nullable Allow firstAllow(Attributes attributes) {
        boolean reads = AbacLine.reads(attributes.access().verb());
        int first = switch (attributes.access()) {
            case ResourceAttributes resource ->
                first(attributes.user(), new OnResource(resource, ApiGroups.canonical(resource.group()), reads));
            case NonResourceAttributes path -> first(attributes.user(), new OnPath(path, reads));
        };
        return first == FirstLine.NONE ? null : allows.get(first);
    }

    private int first(UserInfo user, Question question) {
        int first = question.firstIn(everybody);
        UserLines own = users.get(user.name());
        if (own != null) {
            first = Math.min(first, question.firstIn(own.alone()));
        }
        for (int i = 0; i < user.groups().size(); i++) {
            String group = user.groups().get(i);
            Lines ofGroup = groups.get(group);
            if (ofGroup != null) {
                first = Math.min(first, question.firstIn(ofGroup));
            }
            Lines ofBoth = own == null ? null : own.withGroup().get(group);
            if (ofBoth != null) {
                first = Math.min(first, question.firstIn(ofBoth));
            }
        }
        return first;
    }

    /** What is asked of every table. Lives for one decision and does not leave its method, so that it costs no allocation. */
    private sealed interface Question {
        int firstIn(Lines table);
    }

    private record OnResource(ResourceAttributes request, String apiGroup, boolean reads) implements Question {
        @Override
        public int firstIn(Lines table) {
            return table.first(request, apiGroup, reads);
        }
    }

    private record OnPath(NonResourceAttributes request, boolean reads) implements Question {
        @Override
        public int firstIn(Lines table) {
            return table.first(request, reads);
        }
    }

    /** Sorts lines by the subject that they ask for. */
    private static final class Builder {
        private final AbacPolicy policy;
        private final Lines.Builder everybody = new Lines.Builder();
        private final Map<String, UserLines.Builder> users = new HashMap<>();
        private final Map<String, Lines.Builder> groups = new HashMap<>();

        Builder(AbacPolicy policy) {
            this.policy = policy;
        }

        void add(int position, AbacLine line) {
            if (line.user().isEmpty() && line.group().isEmpty()) {
                return; // Names nobody.
            }
            String user = anyIsEmpty(line.user());
            String group = anyIsEmpty(line.group());
            if (!user.isEmpty()) {
                users.computeIfAbsent(user, name -> new UserLines.Builder()).add(position, line, group);
            } else if (!group.isEmpty()) {
                groups.computeIfAbsent(group, name -> new Lines.Builder()).add(position, line);
            } else {
                everybody.add(position, line);
            }
        }

        private static String anyIsEmpty(String asked) {
            return asked.equals(AbacLine.ANY) ? "" : asked;
        }
    }
}
