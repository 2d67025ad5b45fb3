/** What is lent is lent once. */
@NullMarked
package io.plat.apiserver.lending;

import org.jspecify.annotations.NullMarked;
