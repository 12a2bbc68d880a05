package issue

import "github.com/datachain-go/datachain/internal/codes"

// requestRemedies are those of requests and of calls of tools.
var requestRemedies = []remedy{
	{CodeBadRequest, Remedy{
		"Correct the part of the URL or of the body that the message names.",
		"GET /api/v2/schemas/ai/manifest",
		"GET /api/v2/schemas/ai@latest/manifest",
	}},
	{CodeNotFound, Remedy{
		"Use a name that the hint lists, or one of GET /api/v2/schemas. A document must pin a published version.",
		"GET /api/v2/schemas/ai@next/manifest",
		"GET /api/v2/schemas/ai@latest/manifest",
	}},
	{CodeMethodNotAllowed, Remedy{
		"Use a method that the Allow header lists. The service is read-only.",
		"PUT /api/v2/schemas",
		"GET /api/v2/schemas",
	}},
	{CodeGone, Remedy{
		"Remove your link to the document, or read its history, which says when and why.",
		"GET /api/v2/documents/old-camera",
		"GET /api/v2/documents/old-camera/history",
	}},
	{CodePreconditionFailed, Remedy{
		"Read the resource again without If-Match, and use the ETag of that response.",
		"GET /api/v2/schemas\nIf-Match: \"of-yesterday\"",
		"GET /api/v2/schemas",
	}},
	{CodeExpectationFailed, Remedy{
		"Remove the Expect header, or send Expect: 100-continue.",
		"Expect: tea",
		"Expect: 100-continue",
	}},
	{CodePayloadTooLarge, Remedy{
		"Send a smaller document: place fewer elements, shorten texts, or split it into several that refer to each other with linked_instance_ids.",
		"a datachain of 2 MB",
		"two datachains of 500 KB",
	}},
	{CodeRateLimited, Remedy{
		"Wait as many seconds as Retry-After says, then go on at a lower rate. Services behind one address can name themselves with Service-Client.",
		"429 Too Many Requests\nRetry-After: 12",
		"",
	}},
	{CodeOverloaded, Remedy{
		"Try again after as many seconds as Retry-After says.",
		"503 Service Unavailable\nRetry-After: 1",
		"",
	}},
	{CodeTimeout, Remedy{
		"Try again. If it is the document, send a smaller one; if it is the server, tell its operator.",
		"504 Gateway Timeout",
		"",
	}},
	{CodeUpstreamError, Remedy{
		"Try again later. Operators: the log says which file of the store can't be read.",
		"502 Bad Gateway",
		"",
	}},
	{CodeInternalError, Remedy{
		"Report it with the X-Request-Id of the response, by which the operator finds the cause in the log.",
		"500 Internal Server Error\nX-Request-Id: 5f1c9a",
		"",
	}},

	{codes.InvalidArguments, Remedy{
		"Call the tool again with the argument as its description says; the hint names the nearest valid one.",
		`{"version": "ai@latest", "limit": "ten"}`,
		`{"version": "ai@latest", "limit": 10}`,
	}},
	{codes.UnknownVersion, Remedy{
		"Use a version that list_schema_versions returns.",
		`{"version": "ai@next"}`,
		`{"version": "ai@latest"}`,
	}},
	{codes.ElementNotFound, Remedy{
		"Find the element with list_elements, by words or by category.",
		`{"version": "sensor@latest", "element_id": "purpose.saftey"}`,
		`{"version": "sensor@latest", "element_id": "purpose.safety"}`,
	}},
	{codes.ElementIDsTooMany, Remedy{
		"Split the ids into several calls of at most 100.",
		`{"version": "ai@latest", "element_ids": ["…", "and 100 more"]}`,
		`{"version": "ai@latest", "element_ids": ["…", "and 99 more"]}`,
	}},
	{codes.UnknownVariant, Remedy{
		"Use one of the icon_variants of the element, which the hint lists.",
		`{"version": "sensor@latest", "element_id": "purpose.safety", "variant": "drak"}`,
		`{"version": "sensor@latest", "element_id": "purpose.safety", "variant": "dark"}`,
	}},
}
