/**
 * The driver of the cases that stand as data under {@code cases/} among the test resources; their README says what a case is.
 */
@NullMarked
package io.plat.tests.model.cases;

import org.jspecify.annotations.NullMarked;
