/** Cases as data in {@code cases/} of the test resources; their format is described in its README. */
@NullMarked
package io.plat.tests.model.cases;

import org.jspecify.annotations.NullMarked;
