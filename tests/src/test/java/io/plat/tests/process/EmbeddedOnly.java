package io.plat.tests.process;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * A test of the embedded backend itself, its directory and its files: skipped, with the reason, if {@code -Dplat.storage} selects another one.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(EmbeddedOnly.Condition.class)
public @interface EmbeddedOnly {
    /** Returns the behaviour that other backends do not have. */
    String value();

    /** Evaluates the selected backend. */
    final class Condition implements ExecutionCondition {
        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            return AnnotationSupport.findAnnotation(context.getElement(), EmbeddedOnly.class)
                    .filter(only -> !ChosenStorage.backend().equals("embedded"))
                    .map(only -> ConditionEvaluationResult.disabled("of the embedded backend only: " + only.value()))
                    .orElseGet(() -> ConditionEvaluationResult.enabled("of either backend"));
        }
    }
}
