package io.plat.engine.rbac.served;

import io.plat.engine.rbac.LabelSelector;
import io.plat.engine.rbac.RbacKind;
import io.plat.engine.rbac.RbacRule;
import io.plat.engine.rbac.RbacSubject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads one role object in binary form into a draft. The numbers are those of Kubernetes' published messages {@code Role}, {@code ClusterRole},
 * {@code RoleBinding}, {@code ClusterRoleBinding} and of those in them.
 */
final class BinaryObjectReader {
    private final ObjectDraft draft;

    private BinaryObjectReader(ObjectDraft draft) {
        this.draft = draft;
    }

    /** Reads a message; a malformed one is a problem of this object alone, as its end is known. */
    static void read(WireReader message, ObjectDraft draft) {
        BinaryObjectReader reader = new BinaryObjectReader(draft);
        try {
            reader.object(message);
        } catch (MalformedRolesException malformed) {
            draft.problem(String.valueOf(malformed.getMessage()));
        }
    }

    private void object(WireReader object) throws MalformedRolesException {
        boolean isRole = draft.kind.isRole();
        boolean aggregates = draft.kind == RbacKind.CLUSTER_ROLE;
        while (object.next()) {
            switch (object.field()) {
                case 1 -> metadata(object);
                case 2 -> {
                    if (isRole) {
                        rule(object.message());
                    } else {
                        subject(object.message());
                    }
                }
                case 3 -> {
                    if (aggregates) {
                        aggregationRule(object.message());
                    } else if (isRole) {
                        unknown("object", object);
                    } else {
                        roleRef(object.message());
                    }
                }
                default -> unknown("object", object);
            }
        }
    }

    private void unknown(String where, WireReader at) throws MalformedRolesException {
        draft.problem(where + ": unknown field " + at.field());
        at.skip();
    }

    private void metadata(WireReader object) throws MalformedRolesException {
        try {
            WireReader metadata = object.message();
            while (metadata.next()) {
                switch (metadata.field()) {
                    case 1 -> draft.name(metadata.text());
                    case 3 -> draft.namespace(metadata.text());
                    case 6 -> draft.version(metadata.text());
                    case 11 -> entry(metadata.message(), draft::label);
                    default -> metadata.skip();
                }
            }
        } catch (MalformedRolesException malformed) {
            draft.unreadableMetadata(String.valueOf(malformed.getMessage()));
            throw malformed;
        }
    }

    /** Takes an entry of a map. */
    @FunctionalInterface
    private interface Entry {
        void put(String key, String value);
    }

    private static void entry(WireReader entry, Entry taken) throws MalformedRolesException {
        String key = "";
        String value = "";
        while (entry.next()) {
            switch (entry.field()) {
                case 1 -> key = entry.text();
                case 2 -> value = entry.text();
                default -> entry.skip();
            }
        }
        taken.put(key, value);
    }

    private void rule(WireReader rule) throws MalformedRolesException {
        List<List<String>> lists = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            lists.add(new ArrayList<>());
        }
        while (rule.next()) {
            if (rule.field() <= lists.size()) {
                lists.get(rule.field() - 1).add(rule.text());
            } else {
                unknown("rules", rule);
            }
        }
        lists.replaceAll(draft.strings::list);
        draft.rules.add(new RbacRule(lists.get(0), lists.get(1), lists.get(2), lists.get(3), lists.get(4), null));
    }

    private void aggregationRule(WireReader aggregation) throws MalformedRolesException {
        List<LabelSelector> selectors = draft.aggregation();
        while (aggregation.next()) {
            if (aggregation.field() == 1) {
                selectors.add(selector(aggregation.message()));
            } else {
                unknown("aggregationRule", aggregation);
            }
        }
    }

    private LabelSelector selector(WireReader selector) throws MalformedRolesException {
        Map<String, String> labels = new HashMap<>();
        List<LabelSelector.Requirement> requirements = new ArrayList<>();
        while (selector.next()) {
            switch (selector.field()) {
                case 1 -> entry(selector.message(), labels::put);
                case 2 -> requirements.add(requirement(selector.message()));
                default -> unknown("clusterRoleSelectors", selector);
            }
        }
        return new LabelSelector(labels, requirements);
    }

    private LabelSelector.Requirement requirement(WireReader requirement) throws MalformedRolesException {
        String key = "";
        String operator = "";
        List<String> values = new ArrayList<>();
        while (requirement.next()) {
            switch (requirement.field()) {
                case 1 -> key = requirement.text();
                case 2 -> operator = requirement.text();
                case 3 -> values.add(requirement.text());
                default -> unknown("matchExpressions", requirement);
            }
        }
        return new LabelSelector.Requirement(key, operator, values);
    }

    private void subject(WireReader subject) throws MalformedRolesException {
        String[] texts = texts(subject, 4, "subjects");
        draft.subjects.add(new RbacSubject(texts[0], texts[1], texts[3], texts[2]));
    }

    private void roleRef(WireReader roleRef) throws MalformedRolesException {
        String[] texts = texts(roleRef, 3, "roleRef");
        draft.roleRef(texts[0], texts[1], texts[2]);
    }

    /** The texts of a message whose fields from 1 on are all text. */
    private String[] texts(WireReader message, int count, String where) throws MalformedRolesException {
        String[] texts = new String[count];
        Arrays.fill(texts, "");
        while (message.next()) {
            if (message.field() <= count) {
                texts[message.field() - 1] = draft.strings.string(message.text());
            } else {
                unknown(where, message);
            }
        }
        return texts;
    }
}
