package io.plat.fronts.authzen;

import io.plat.cel.CostBudget;
import io.plat.engine.lookup.Frozen;
import io.plat.review.AccessAttributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.UserInfo;
import io.plat.review.explain.SubjectName;
import io.plat.review.source.Quoted;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Mapping of a file for one request: types with rows are mapped by the first row that applies, others by the default mapping. Not thread-safe. */
final class MappedTypes extends Mapping {
    private final Rows rows;
    private final CostBudget budget;

    MappedTypes(Rows rows, CostBudget budget) {
        this.rows = rows;
        this.budget = budget;
    }

    /**
     * The rows of a file, by type.
     *
     * @param subjects at most one per type
     * @param resources at least one per type
     */
    record Rows(Map<String, SubjectRow> subjects, Map<String, List<ResourceRow>> resources) {
        static final Rows NONE = new Rows(Map.of(), Map.of());

        Rows {
            subjects = Frozen.copyOf(subjects);
            resources = Frozen.copyOf(resources);
        }
    }

    /**
     * Subjects of a type. At least one of user and groups is present.
     *
     * @param user the user name; null for none
     * @param groups the groups; null for none
     * @param id the id of a user or group of the policy; null if it is the name
     */
    record SubjectRow(
            @Nullable Expression user,
            @Nullable Expression groups,
            @Nullable Expression id) {}

    /**
     * Resources of a type.
     *
     * @param actions the actions to which the row applies; empty for all
     * @param values expressions by the name of the attribute; {@code resource} or {@code path} is present
     */
    record ResourceRow(Set<String> actions, Map<String, Expression> values) {
        ResourceRow {
            actions = Frozen.copyOf(actions);
            values = Frozen.copyOf(values);
        }

        boolean applies(EvaluationRequest evaluation) {
            return actions.isEmpty() || actions.contains(evaluation.action().id());
        }
    }

    @Override
    UserInfo user(EvaluationRequest evaluation) throws StatusException {
        SubjectRow row = subjectRow(evaluation);
        if (row == null) {
            return super.user(evaluation);
        }
        Map<String, Object> variables = Expression.variables(evaluation);
        String name = row.user() == null ? "" : row.user().text(variables, budget);
        List<String> groups = row.groups() == null ? List.of() : row.groups().texts(variables, budget);
        return new UserInfo(name, groups).withImpliedGroup();
    }

    private @Nullable SubjectRow subjectRow(EvaluationRequest evaluation) {
        return rows.subjects().get(evaluation.subject().type());
    }

    @Override
    AccessAttributes access(EvaluationRequest evaluation) throws StatusException {
        List<ResourceRow> ofType = resourceRows(evaluation);
        if (ofType.isEmpty()) {
            return super.access(evaluation);
        }
        ResourceRow row = ofType.stream()
                .filter(one -> one.applies(evaluation))
                .findFirst()
                .orElseThrow(() -> new StatusException(
                        StatusReason.NOT_FOUND,
                        "the action " + Quoted.of(evaluation.action().id())
                                + " is unknown for the resource type "
                                + Quoted.of(evaluation.resource().type())));
        Map<String, Object> variables = Expression.variables(evaluation);
        String verb = value(row, "verb", evaluation.action().id(), variables);
        if (row.values().containsKey("path")) {
            return new NonResourceAttributes(value(row, "path", "", variables), verb);
        }
        return new ResourceAttributes(
                value(row, "namespace", "", variables),
                verb,
                value(row, "group", "", variables),
                "",
                value(row, "resource", "", variables),
                value(row, "subresource", "", variables),
                value(row, "name", evaluation.resource().id(), variables));
    }

    private List<ResourceRow> resourceRows(EvaluationRequest evaluation) {
        return rows.resources().getOrDefault(evaluation.resource().type(), List.of());
    }

    private String value(ResourceRow row, String attribute, String otherwise, Map<String, Object> variables)
            throws StatusException {
        Expression expression = row.values().get(attribute);
        return expression == null ? otherwise : expression.text(variables, budget);
    }

    @Override
    @Nullable
    String subjectId(EvaluationRequest evaluation, SubjectName subject) throws StatusException {
        SubjectRow row = subjectRow(evaluation);
        if (row == null) {
            return super.subjectId(evaluation, subject);
        }
        if (subject.kind() != (row.user() == null ? SubjectName.Kind.GROUP : SubjectName.Kind.USER)) {
            return null;
        }
        return row.id() == null
                ? subject.name()
                : row.id().text(Map.of("name", subject.name(), "namespace", ""), budget);
    }

    @Override
    String resourceId(EvaluationRequest evaluation, String namespace, String name) throws StatusException {
        List<ResourceRow> ofType = resourceRows(evaluation);
        if (ofType.isEmpty()) {
            return super.resourceId(evaluation, namespace, name);
        }
        for (ResourceRow row : ofType) {
            Expression id = row.values().get("id");
            if (row.applies(evaluation) && id != null) {
                return id.text(Map.of("name", name, "namespace", namespace), budget);
            }
        }
        return name;
    }

    @Override
    List<String> actions(EvaluationRequest evaluation) {
        return resourceRows(evaluation).stream()
                .flatMap(row -> row.actions().stream())
                .toList();
    }
}
