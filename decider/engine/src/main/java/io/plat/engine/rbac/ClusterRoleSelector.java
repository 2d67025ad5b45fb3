package io.plat.engine.rbac;

import io.plat.engine.lookup.Frozen;
import java.util.List;
import java.util.Map;

/**
 * Selection of objects by labels: all requirements must be met. A selector without any selects every object.
 *
 * @param matchLabels labels with their values
 * @param matchExpressions additional requirements
 */
public record ClusterRoleSelector(Map<String, String> matchLabels, List<Requirement> matchExpressions) {
    private static final long OVERHEAD = 150;

    public ClusterRoleSelector {
        matchLabels = Frozen.copyOf(matchLabels);
        matchExpressions = List.copyOf(matchExpressions);
    }

    /** Returns the approximate memory, in bytes. */
    long bytes() {
        return OVERHEAD
                + bytes(matchLabels)
                + matchExpressions.stream().mapToLong(Requirement::bytes).sum();
    }

    /** Returns the approximate memory of labels, in bytes. */
    static long bytes(Map<String, String> labels) {
        return labels.entrySet().stream()
                .mapToLong(label -> 2L * RbacRule.STRING
                        + label.getKey().length()
                        + label.getValue().length())
                .sum();
    }

    /** Returns whether an object with these labels is selected. */
    public boolean matches(Map<String, String> labels) {
        for (Map.Entry<String, String> label : matchLabels.entrySet()) {
            if (!label.getValue().equals(labels.get(label.getKey()))) {
                return false;
            }
        }
        return matchExpressions.stream().allMatch(requirement -> requirement.matches(labels));
    }

    /**
     * One requirement.
     *
     * @param key the label
     * @param operator as written; an unknown one is never met
     * @param values the operands
     */
    public record Requirement(String key, String operator, List<String> values) {
        public Requirement {
            values = List.copyOf(values);
        }

        private long bytes() {
            return OVERHEAD
                    + key.length()
                    + operator.length()
                    + values.stream()
                            .mapToLong(value -> RbacRule.STRING + value.length())
                            .sum();
        }

        boolean matches(Map<String, String> labels) {
            String value = labels.get(key);
            return switch (operator) {
                case "In" -> value != null && values.contains(value);
                case "NotIn" -> value == null || !values.contains(value);
                case "Exists" -> value != null;
                case "DoesNotExist" -> value == null;
                default -> false;
            };
        }
    }
}
