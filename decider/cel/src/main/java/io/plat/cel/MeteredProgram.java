package io.plat.cel;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.navigation.CelNavigableAst;
import dev.cel.common.navigation.CelNavigableExpr;
import dev.cel.common.values.CelByteString;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelVariableResolver;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Compiled expression whose evaluation is charged to a budget. A call is charged when its last argument is known and before it runs, so
 * that no single call can take long or exhaust memory. Immutable and thread-safe.
 */
public final class MeteredProgram {
    /** Functions that cost no more than their arguments. */
    private static final Set<String> FREE = Set.of("_&&_", "_||_", "_?_:_");

    private static final Set<CelExpr.ExprKind.Kind> CONTAINERS =
            EnumSet.of(CelExpr.ExprKind.Kind.LIST, CelExpr.ExprKind.Kind.MAP);

    /** Minimum size of a result that is charged to the request, in bytes. */
    private static final long MIN_CHARGED_BYTES = 16 << 10;

    private final CelRuntime.Program program;
    private final Map<Long, CelExpr> callsByLastArgument = new HashMap<>();
    private final Set<Long> arguments;

    /**
     * Creates a program for a checked expression.
     *
     * @throws CelEvaluationException if it cannot be run
     */
    public MeteredProgram(CelRuntime runtime, CelAbstractSyntaxTree tree) throws CelEvaluationException {
        this.program = runtime.createProgram(tree);
        var known = new HashSet<Long>();
        CelNavigableAst.fromAst(tree)
                .getRoot()
                .allNodes()
                .map(CelNavigableExpr::expr)
                .forEach(node -> {
                    if (node.getKind() == CelExpr.ExprKind.Kind.CALL
                            && !FREE.contains(node.call().function())) {
                        List<CelExpr> operands = operands(node);
                        operands.forEach(operand -> known.add(operand.id()));
                        if (!operands.isEmpty()) {
                            callsByLastArgument.put(operands.getLast().id(), node);
                        }
                    }
                });
        this.arguments = known;
    }

    /** Returns the target of a call and its arguments. */
    static List<CelExpr> operands(CelExpr call) {
        var operands = new ArrayList<CelExpr>();
        call.call().target().ifPresent(operands::add);
        operands.addAll(call.call().args());
        return operands;
    }

    /**
     * Evaluates the expression.
     *
     * @throws CelEvaluationException if evaluation fails; with a message of {@link CostBudget} if it exceeds its cost
     */
    public Object eval(CelVariableResolver variables, CostBudget budget) throws CelEvaluationException {
        var meter = new Meter(budget);
        try {
            if (meter.limit <= 0) {
                throw budget.exceeded();
            }
            return program.trace(variables, meter::evaluated);
        } catch (LimitExceeded | StackOverflowError tooMuch) {
            // Nested values, and variables that refer to others, may overflow the stack.
            throw budget.exceeded();
        } finally {
            budget.spend(Math.min(meter.cost, meter.limit));
        }
    }

    /** One evaluation. */
    private final class Meter {
        private final CostBudget budget;
        private final long limit;
        private final Map<Long, Object> values = new HashMap<>();
        private long cost;

        Meter(CostBudget budget) {
            this.budget = budget;
            this.limit = budget.limit();
        }

        void evaluated(CelExpr node, @Nullable Object value) {
            if (arguments.contains(node.id())) {
                if (value instanceof CharSequence
                        || value instanceof Collection
                        || value instanceof Map
                        || value instanceof Optional
                        || value instanceof CelByteString
                        || value instanceof Long) {
                    values.put(node.id(), value);
                } else {
                    values.remove(node.id());
                }
            }
            cost = add(cost, access(node));
            if (CONTAINERS.contains(node.getKind())) {
                cost = add(cost, CallCost.nested(value));
            }
            @Nullable CelExpr call = callsByLastArgument.get(node.id());
            if (call != null) {
                List<@Nullable Object> arguments = new ArrayList<>();
                operands(call).forEach(operand -> arguments.add(values.get(operand.id())));
                String function = call.call().function();
                long charge = CallCost.of(function, arguments);
                cost = add(cost, charge);
                take(CallCost.memory(function, charge, arguments.getFirst()));
            }
            long now = System.nanoTime();
            if (cost > limit || budget.isOverdue(now)) {
                throw new LimitExceeded();
            }
            if (budget.isLong(now)) {
                budget.resources().computes();
            }
        }

        private void take(long bytes) {
            if (bytes > MIN_CHARGED_BYTES && cost <= limit && !budget.take(bytes)) {
                throw new LimitExceeded();
            }
        }

        private static long add(long one, long other) {
            return Math.min(one, Long.MAX_VALUE / 2) + Math.min(other, Long.MAX_VALUE / 2);
        }
    }

    private static long access(CelExpr node) {
        return switch (node.getKind()) {
            case IDENT -> 1;
            case SELECT -> path(node);
            case LIST -> 10;
            case MAP -> 30;
            case STRUCT -> 40;
            case CALL -> operands(node).isEmpty() ? 1 : 0;
            case CONSTANT, COMPREHENSION, NOT_SET -> 0;
        };
    }

    /** Returns the cost of a path: one for the variable, one per field, none for a presence test. */
    private static long path(CelExpr node) {
        return node.getKind() == CelExpr.ExprKind.Kind.SELECT
                ? path(node.select().operand()) + (node.select().testOnly() ? 0 : 1)
                : 1;
    }
}
