/**
 * The AuthZEN API of a real decider: the working group's scenarios, the requirements of the specification, and agreement with access
 * reviews.
 */
@NullMarked
package io.plat.tests.authzen;

import org.jspecify.annotations.NullMarked;
