@NullMarked
package io.plat.apiserver.roles.aggregation;

import org.jspecify.annotations.NullMarked;
