package io.plat.apiserver.expression;

import com.google.re2j.Pattern;
import dev.cel.common.types.CelType;
import dev.cel.common.types.StructTypeReference;
import dev.cel.common.values.NullValue;
import dev.cel.common.values.StructValue;
import dev.cel.runtime.CelEvaluationException;
import io.plat.cel.CostBudget;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Evaluation of a policy's expressions; variables are evaluated on first use. Not thread-safe. */
final class PolicyRun {
    private static final String FUNCTION = "Function '";
    private static final Pattern POSITION = Pattern.compile("^evaluation error(?: at <input>:\\d+)?: ");
    private static final Pattern ABSENT_KEY = Pattern.compile("key '(.*)' is not present in map\\.");

    private final Map<String, Object> input;
    private final Variables variables;
    private final CostBudget budget;

    PolicyRun(Map<String, Object> input, Map<String, PolicyProgram.Expression> variables, CostBudget budget) {
        this.input = input;
        this.variables = new Variables(variables);
        this.budget = budget;
    }

    sealed interface Value {
        record Of(Object value) implements Value {}

        record Failed(String message) implements Value {}
    }

    Value evaluate(PolicyProgram.Expression expression) {
        if (expression.program() == null) {
            return new Value.Failed(expression.problem());
        }
        try {
            Object value = expression.program().eval(name -> Optional.of(valueOf(name)), budget);
            // A variable that exceeded its cost may not have affected the value.
            return budget.isSpent() ? new Value.Failed(CostBudget.BUDGET_EXCEEDED) : new Value.Of(value);
        } catch (CelEvaluationException e) {
            if (budget.isSpent()) {
                return new Value.Failed(CostBudget.BUDGET_EXCEEDED);
            }
            return new Value.Failed(
                    "expression '" + expression.text() + "' resulted in error: " + kubernetesMessage(e));
        }
    }

    private Object valueOf(String name) {
        return name.equals("variables") ? variables : input.getOrDefault(name, NullValue.NULL_VALUE);
    }

    /** Returns the message in the wording of Kubernetes. */
    private static String kubernetesMessage(CelEvaluationException failure) {
        String message = String.valueOf(failure.getMessage());
        if (message.contains(FUNCTION) && failure.getCause() != null) {
            // The library's message quotes the arguments, which clients should not see.
            Throwable cause = failure.getCause();
            while (cause.getCause() != null) {
                cause = cause.getCause();
            }
            message = String.valueOf(cause.getMessage());
        }
        message = POSITION.matcher(message).replaceFirst("");
        return ABSENT_KEY.matcher(message).replaceAll("no such key: $1");
    }

    /** Values of variables, each evaluated once. */
    // A cached value equals what a second evaluation would yield.
    @SuppressWarnings("Immutable")
    private final class Variables extends StructValue<String, Object> {
        private final Map<String, PolicyProgram.Expression> expressions;
        private final Map<String, Value> known = new HashMap<>();

        Variables(Map<String, PolicyProgram.Expression> expressions) {
            this.expressions = expressions;
        }

        @Override
        public Object select(String name) {
            return find(name).orElseThrow(() -> new IllegalArgumentException("no such key: " + name));
        }

        @Override
        public Optional<Object> find(String name) {
            PolicyProgram.@Nullable Expression expression = expressions.get(name);
            if (expression == null) {
                return Optional.empty();
            }
            Value value = known.get(name);
            if (value == null) {
                known.put(name, new Value.Failed("the variable refers to itself"));
                value = evaluate(expression);
                known.put(name, value);
            }
            return switch (value) {
                case Value.Of of -> Optional.of(of.value());
                case Value.Failed failed ->
                    throw new IllegalArgumentException(
                            "composited variable \"" + name + "\" fails to evaluate: " + failed.message());
            };
        }

        @Override
        public Object value() {
            return this;
        }

        @Override
        public boolean isZeroValue() {
            return expressions.isEmpty();
        }

        @Override
        public CelType celType() {
            return StructTypeReference.create(ExpressionScope.VARIABLES_TYPE);
        }
    }
}
